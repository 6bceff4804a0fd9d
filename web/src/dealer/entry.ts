/** Card entry at the keyboard: a rank and a suit in any order; Backspace takes back the last key. A key that does not
 * fit changes nothing and is shown as wrong, so a slip never turns a typed card into another. */

import { amount, cents } from "../lib/money";

export const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"] as const;
export const SUITS = ["S", "H", "D", "C"] as const;

export interface Entry {
  rank: string | null;
  suit: string | null;
  /** The 1 of a 10 has been typed and the 0 has not. */
  ten: boolean;
  /** The parts that were typed, in order, so that Backspace takes back the last one. */
  typed: ("rank" | "suit")[];
  /** The last key if it did not fit, and why: no card has it, or that part of the card is already typed. */
  wrong: { key: string; why: "no-key" | "rank" | "suit" } | null;
}

export const EMPTY: Entry = { rank: null, suit: null, ten: false, typed: [], wrong: null };

/** The entry after a key; null if the key has no meaning in card entry. */
export function press(entry: Entry, key: string): Entry | null {
  if (key === "Backspace") return takenBack(entry);
  if (key === "Escape") return EMPTY;
  if (key.length !== 1 || key === " ") return null;
  const letter = key.toUpperCase();
  if (entry.ten && letter === "0") return withRank({ ...entry, ten: false }, "T");
  if ((SUITS as readonly string[]).includes(letter)) return entry.suit || entry.ten ? misfit(entry, letter, entry.ten ? "no-key" : "suit") : withSuit(entry, letter);
  const rank = letter === "0" ? "T" : letter;
  if (letter !== "1" && !(RANKS as readonly string[]).includes(rank)) return misfit(entry, letter, "no-key");
  if (entry.rank || entry.ten) return misfit(entry, letter, "rank");
  return letter === "1" ? { ...entry, ten: true, wrong: null } : withRank(entry, rank);
}

/** The card, once it has a rank and a suit; null before. */
export function complete(entry: Entry): string | null {
  return entry.rank !== null && entry.suit !== null && !entry.ten ? entry.rank + entry.suit : null;
}

/** Whether any part of a card is typed. */
export function begun(entry: Entry): boolean {
  return entry.ten || entry.typed.length > 0;
}

function withRank(entry: Entry, rank: string): Entry {
  return { ...entry, rank, typed: [...entry.typed, "rank"], wrong: null };
}

function withSuit(entry: Entry, suit: string): Entry {
  return { ...entry, suit, typed: [...entry.typed, "suit"], wrong: null };
}

function misfit(entry: Entry, key: string, why: "no-key" | "rank" | "suit"): Entry {
  return { ...entry, wrong: { key, why } };
}

function takenBack(entry: Entry): Entry {
  if (entry.ten) return { ...entry, ten: false, wrong: null };
  const last = entry.typed.at(-1);
  if (last === undefined) return EMPTY;
  return { ...entry, [last]: null, typed: entry.typed.slice(0, -1), wrong: null };
}

/** One card as people write it: KH, kh, 10D, TD, K♥. Null if it is no card. */
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
  /** Words that are not cards, as they were typed. */
  wrong: string[];
}

/** A row of cards: KH 10D, KH,TD and KHTD are the same. */
export function cardsOf(text: string): Cards {
  const cards: string[] = [];
  const wrong: string[] = [];
  for (const word of text.split(/[\s,;]+/).filter((part) => part !== "")) {
    const pieces = word.match(/10.|../gu) ?? [word];
    const read = pieces.join("") === word ? pieces.map(cardOf) : [null];
    if (read.every((card) => card !== null)) cards.push(...(read as string[]));
    else wrong.push(word);
  }
  return { cards, wrong };
}

/** The pattern of a field for an amount. */
export const AMOUNT = " *-?[0-9,]+(\\.[0-9]{1,2})? *";

/** A typed amount in the form that the house reads: 100 → 100.00. Null if it is no amount. */
export function amountOf(text: string): string | null {
  const plain = text.trim().replaceAll(",", "");
  return /^-?\d{1,13}(\.\d{1,2})?$/.test(plain) ? amount(cents(plain)) : null;
}
