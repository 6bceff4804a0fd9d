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

export const hasSeat = (table: TableShown): boolean => table.phase !== "closed" && table.seats.taken < table.seats.of;

/** The tables that pass the filters: favourites first, closed ones last, else by name. */
export function chosen(tables: TableShown[], wish: Wish, liked: ReadonlySet<string>): TableShown[] {
  const rank = (table: TableShown): number => (table.phase === "closed" ? 2 : 0) + (liked.has(table.id) ? 0 : 1);
  return tables
    .filter((table) => !wish.game || table.game === wish.game)
    .filter((table) => wish.minimum === null || cents(table.limits.minimum) <= wish.minimum)
    .filter((table) => !wish.free || hasSeat(table))
    .filter((table) => !wish.source || table.source === wish.source)
    .filter((table) => !wish.liked || liked.has(table.id))
    .sort((a, b) => rank(a) - rank(b) || (a.name ?? a.id).localeCompare(b.name ?? b.id, "en", { numeric: true }));
}

/** The choices of the filters: the games and minimums that there are. */
export function choices(tables: TableShown[]): { games: string[]; minimums: Cents[] } {
  const games = [...new Set(tables.map((table) => table.game))].sort();
  const minimums = [...new Set(tables.map((table) => cents(table.limits.minimum)))].sort((a, b) => a - b);
  return { games, minimums };
}

/** The known tiles with their changes. A table that is new here comes as a whole tile. */
export function renewed(tables: TableShown[], news: (Partial<TableShown> & { id: string })[]): TableShown[] {
  const by = new Map(tables.map((table) => [table.id, table]));
  for (const tile of news) by.set(tile.id, { ...by.get(tile.id), ...tile } as TableShown);
  return [...by.values()];
}
