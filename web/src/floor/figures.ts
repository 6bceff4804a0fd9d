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
    open: tables.filter((table) => table.phase !== "closed").length,
    patrons: tables.reduce((sum, table) => sum + table.patrons, 0),
    stake: tables.reduce((sum, table) => sum + cents(table.at_stake), 0),
    result: tables.reduce((sum, table) => sum + cents(table.result), 0),
    wrong: tables.filter((table) => table.irregularity).length,
  };
}

/** Whole seconds since an instant, by the house's clock. */
export function secondsSince(since: string, now: string): number {
  return Math.max(0, Math.floor((Date.parse(now) - Date.parse(since)) / 1000));
}

/** By urgency: first tables with an irregularity, then those about to close; closed ones last. Else by id. */
export function ordered(tables: FloorTable[]): FloorTable[] {
  const rank = (table: FloorTable): number => (table.irregularity ? 0 : table.closes_now ? 1 : table.phase === "closed" ? 3 : 2);
  return [...tables].sort((a, b) => rank(a) - rank(b) || a.id.localeCompare(b.id));
}
