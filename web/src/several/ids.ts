// Which tables are side by side: in the address, so that a reload or a link shows the same ones.

import { MOST_SIDE_BY_SIDE } from "../lobby/kept.svelte";
import type { Cents } from "../lib/money";

export function idsOf(query: URLSearchParams): string[] {
  const ids = (query.get("tables") ?? "").split(",").filter((id) => /^[a-z0-9._-]{1,64}$/.test(id));
  return [...new Set(ids)].slice(0, MOST_SIDE_BY_SIDE);
}

export function addressOf(ids: readonly string[]): string {
  return ids.length ? `/several?tables=${ids.join(",")}` : "/";
}

/** The chips to sit down with: an equal part of the wallet, in whole units, for each table not yet joined. */
export function part(wallet: Cents, waiting: number): Cents {
  return waiting > 1 ? Math.trunc(wallet / waiting / 100) * 100 : wallet;
}
