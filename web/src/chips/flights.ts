// Which chips move when a round is settled, from where to where, and when.

import type { Cents } from "../lib/money";

export type End = "spot" | "house" | "patron";

export interface Flight {
  /** The spot that the chips leave or go to. */
  at: string;
  from: End;
  to: End;
  value: Cents;
  /** Milliseconds after the settlement. */
  after: number;
}

export interface Settled {
  at: string;
  result: string;
  stake: Cents;
  winnings: Cents;
}

/** The most flights that are shown. No layout has so many bets that more would be noticed. */
export const MOST = 40;
const PAID_MS = 250;
const HOME_MS = 850;

/** A dealer's order: lost chips go first, then winnings are paid, then everything goes to the patron. */
export function flights(lines: readonly Settled[]): Flight[] {
  const all = lines.flatMap(({ at, result, stake, winnings }): Flight[] => {
    if (result === "lost") return [{ at, from: "spot", to: "house", value: stake, after: 0 }];
    const home: Flight = { at, from: "spot", to: "patron", value: stake + winnings, after: HOME_MS };
    return winnings > 0 ? [{ at, from: "house", to: "spot", value: winnings, after: PAID_MS }, home] : [home];
  });
  return all.slice(0, MOST);
}
