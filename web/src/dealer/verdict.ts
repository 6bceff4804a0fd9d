/** What the Table of Play says about the cards that lie open. The grid is the edition's; this only reads it out. */

import type { TableOfPlay } from "../lib/reference.svelte";

export type Cards = Record<string, string | null>;

export interface Verdict {
  /** Which sentence: the words module has it under `verdict.<says>`. */
  says:
    | "deal"
    | "turn"
    | "natural"
    | "player-draws"
    | "player-stands"
    | "banker-draws"
    | "banker-stands"
    | "done";
  points?: number;
  third?: number;
  paragraph?: string;
}

/** A card's points: pips count, tens and pictures nothing. */
export function cardPoints(card: string): number {
  const rank = card[0]!;
  return rank === "A" ? 1 : Number(rank) || 0;
}

export function handPoints(cards: (string | null | undefined)[]): number {
  return cards.reduce((sum, one) => sum + (one ? cardPoints(one) : 0), 0) % 10;
}

/** Points for reading: a dash while there is no card, or one lies face down. */
export function pointsText(cards: (string | null)[]): string {
  return cards.length === 0 || cards.includes(null) ? "–" : String(handPoints(cards));
}

/** The cards of one hand in order; `letter` is P or B. */
export function handOf(cards: Cards, letter: "P" | "B"): (string | null)[] {
  return ["1", "2", "3"].filter((at) => letter + at in cards).map((at) => cards[letter + at] ?? null);
}

/** Verdicts in the order in which they fall; the last one is about what comes next. */
export function verdicts(play: TableOfPlay, cards: Cards): Verdict[] {
  const player = handOf(cards, "P");
  const banker = handOf(cards, "B");
  if (player.length < 2 || banker.length < 2) return [{ says: "deal" }];
  const first = [...player.slice(0, 2), ...banker.slice(0, 2)];
  if (first.some((one) => one === null)) return [{ says: "turn" }];
  const own = handPoints(player.slice(0, 2));
  const other = handPoints(banker.slice(0, 2));
  if (play.naturals.includes(own) || play.naturals.includes(other)) {
    return [{ says: "natural", points: Math.max(own, other), paragraph: play.player_cite }];
  }
  const draws = play.player[own]!;
  const found: Verdict[] = [
    { says: draws ? "player-draws" : "player-stands", points: own, paragraph: play.player_cite },
  ];
  if (draws && player.length < 3) return found;
  const third = draws ? player[2] : undefined;
  if (third === null) return [...found, { says: "turn" }];
  const counts = third === undefined ? undefined : cardPoints(third);
  const takes = counts === undefined ? play.banker_alone[other]! : play.banker[other]![counts]!;
  const verdict: Verdict = {
    says: takes ? "banker-draws" : "banker-stands",
    points: other,
    paragraph: counts === undefined ? play.alone_cite : play.banker_cite,
  };
  if (counts !== undefined) verdict.third = counts;
  return takes && banker[2] ? [...found, verdict, { says: "done" }] : [...found, verdict];
}
