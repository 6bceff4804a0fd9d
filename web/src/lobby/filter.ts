// Which tables the lobby shows, and in which order. No rule is applied here: the house's own figures are compared.

import { cents, type Cents } from "../lib/money";
import type { TableShown } from "../lib/shapes";

export interface Wish {
  game: string;
  /** The highest table minimum; null for any. */
  minimum: Cents | null;
  /** Only tables with a free seat. */
  free: boolean;
  source: "" | "live" | "virtual";
  /** Only favourites. */
  liked: boolean;
}

export const ANY: Wish = { game: "", minimum: null, free: false, source: "", liked: false };
/** The most tiles shown at once: as many as one feed takes. */
export const MOST_TILES = 100;

export const hasSeat = (one: TableShown): boolean => one.phase !== "closed" && one.seats.taken < one.seats.of;

/** The tables that pass the filters: favourites first, closed ones last, else by name. */
export function chosen(tables: TableShown[], wish: Wish, liked: ReadonlySet<string>): TableShown[] {
  const rank = (one: TableShown): number => (one.phase === "closed" ? 2 : 0) + (liked.has(one.id) ? 0 : 1);
  return tables
    .filter((one) => !wish.game || one.game === wish.game)
    .filter((one) => wish.minimum === null || cents(one.limits.minimum) <= wish.minimum)
    .filter((one) => !wish.free || hasSeat(one))
    .filter((one) => !wish.source || one.source === wish.source)
    .filter((one) => !wish.liked || liked.has(one.id))
    .sort((a, b) => rank(a) - rank(b) || (a.name ?? a.id).localeCompare(b.name ?? b.id, "en", { numeric: true }));
}

/** The choices of the filters: the games and minimums that there are. */
export function choices(tables: TableShown[]): { games: string[]; minimums: Cents[] } {
  const games = [...new Set(tables.map((one) => one.game))].sort();
  const minimums = [...new Set(tables.map((one) => cents(one.limits.minimum)))].sort((a, b) => a - b);
  return { games, minimums };
}

/** The known tiles with their changes. A table that is new here comes as a whole tile. */
export function renewed(tables: TableShown[], news: (Partial<TableShown> & { id: string })[]): TableShown[] {
  const by = new Map(tables.map((one) => [one.id, one]));
  for (const one of news) by.set(one.id, { ...by.get(one.id), ...one } as TableShown);
  return [...by.values()];
}
