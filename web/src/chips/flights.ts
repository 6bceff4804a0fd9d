// Which chips move when a round is settled, from where to where, and when.

import type { Cents } from "../lib/money";

export type End = "spot" | "house" | "patron";

export interface Flight {
  /** The spot that it leaves or comes to. */
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

/** No layout has so many bets that more would be seen. */
export const MOST = 40;
const PAID_MS = 250;
const HOME_MS = 850;

/** Lost chips go first, then the winnings come, then all of it goes to the patron: the order of a dealer's hands. */
export function flights(lines: readonly Settled[]): Flight[] {
  const all = lines.flatMap(({ at, result, stake, winnings }): Flight[] => {
    if (result === "lost") return [{ at, from: "spot", to: "house", value: stake, after: 0 }];
    const home: Flight = { at, from: "spot", to: "patron", value: stake + winnings, after: HOME_MS };
    return winnings > 0 ? [{ at, from: "house", to: "spot", value: winnings, after: PAID_MS }, home] : [home];
  });
  return all.slice(0, MOST);
}
