/** Card entry at the keyboard: a rank and a suit in any order, the last key taken back before it is sent. */

import { amount, cents } from "../lib/money";

export const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"] as const;
export const SUITS = ["S", "H", "D", "C"] as const;

export interface Entry {
  rank: string | null;
  suit: string | null;
  /** The 1 of a 10 has been typed and the 0 has not. */
  ten: boolean;
  /** The keys that were taken, last one last, so that Backspace takes back what was typed last. */
  typed: ("rank" | "suit")[];
}

export const EMPTY: Entry = { rank: null, suit: null, ten: false, typed: [] };

/** What a key does to an entry; null where the key means nothing here and belongs to somebody else. */
export function press(entry: Entry, key: string): Entry | null {
  if (key === "Backspace") return takenBack(entry);
  if (key === "Escape") return EMPTY;
  if (key.length !== 1) return null;
  const letter = key.toUpperCase();
  if (entry.ten) return letter === "0" ? withRank({ ...entry, ten: false }, "T") : null;
  if (letter === "1") return { ...entry, rank: null, ten: true, typed: entry.typed.filter((one) => one !== "rank") };
  if (letter === "0") return withRank(entry, "T");
  if ((RANKS as readonly string[]).includes(letter)) return withRank(entry, letter);
  if ((SUITS as readonly string[]).includes(letter)) return withSuit(entry, letter);
  return null;
}

/** The card, once it has both; null before. */
export function complete(entry: Entry): string | null {
  return entry.rank !== null && entry.suit !== null && !entry.ten ? entry.rank + entry.suit : null;
}

function withRank(entry: Entry, rank: string): Entry {
  return { ...entry, rank, typed: [...entry.typed.filter((one) => one !== "rank"), "rank"] };
}

function withSuit(entry: Entry, suit: string): Entry {
  return { ...entry, suit, typed: [...entry.typed.filter((one) => one !== "suit"), "suit"] };
}

function takenBack(entry: Entry): Entry {
  if (entry.ten) return { ...entry, ten: false };
  const last = entry.typed.at(-1);
  if (last === undefined) return entry;
  return { ...entry, [last]: null, typed: entry.typed.slice(0, -1) };
}

/** One card as people write it: KH, kh, 10D, TD, K♥. Null where it is none. */
export function cardOf(text: string): string | null {
  const plain = text
    .trim()
    .toUpperCase()
    .replace("10", "T")
    .replace("♠", "S")
    .replace("♥", "H")
    .replace("♦", "D")
    .replace("♣", "C");
  if (plain.length !== 2) return null;
  const [rank, suit] = [plain[0]!, plain[1]!];
  return (RANKS as readonly string[]).includes(rank) && (SUITS as readonly string[]).includes(suit) ? plain : null;
}

export interface Cards {
  cards: string[];
  /** Words that are no card, as they were typed. */
  wrong: string[];
}

/** A row of cards: KH 10D, KH,TD and KHTD are the same. */
export function cardsOf(text: string): Cards {
  const cards: string[] = [];
  const wrong: string[] = [];
  for (const word of text.split(/[\s,;]+/).filter((one) => one !== "")) {
    const pieces = word.match(/10.|../gu) ?? [word];
    const read = pieces.join("") === word ? pieces.map(cardOf) : [null];
    if (read.every((one) => one !== null)) cards.push(...(read as string[]));
    else wrong.push(word);
  }
  return { cards, wrong };
}

/** An amount as people type it, as the house reads it: 100 → 100.00. Null where it is none. */
export function amountOf(text: string): string | null {
  const plain = text.trim().replaceAll(",", "");
  return /^-?\d{1,13}(\.\d{1,2})?$/.test(plain) ? amount(cents(plain)) : null;
}
