// The totals and the order of the floor's tables.

import type { FloorTable } from "../lib/house";
import { cents, type Cents } from "../lib/money";

export interface Sums {
  open: number;
  patrons: number;
  stake: Cents;
  result: Cents;
  wrong: number;
}

export function sums(tables: FloorTable[]): Sums {
  return {
    open: tables.filter((one) => one.phase !== "closed").length,
    patrons: tables.reduce((sum, one) => sum + one.patrons, 0),
    stake: tables.reduce((sum, one) => sum + cents(one.at_stake), 0),
    result: tables.reduce((sum, one) => sum + cents(one.result), 0),
    wrong: tables.filter((one) => one.irregularity).length,
  };
}

/** Whole seconds since an instant, by the house's clock. */
export function secondsSince(since: string, now: string): number {
  return Math.max(0, Math.floor((Date.parse(now) - Date.parse(since)) / 1000));
}

/** By urgency: first tables with an irregularity, then those about to close; closed ones last. Else by id. */
export function ordered(tables: FloorTable[]): FloorTable[] {
  const rank = (one: FloorTable): number => (one.irregularity ? 0 : one.closes_now ? 1 : one.phase === "closed" ? 3 : 2);
  return [...tables].sort((a, b) => rank(a) - rank(b) || a.id.localeCompare(b.id));
}
