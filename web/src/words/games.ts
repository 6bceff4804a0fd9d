// The names of games and tables, and the cloth of each game. The documents have English titles only. A Chinese title is
// put together from the trade's own terms, as the names of bets are.

import { room } from "./room.svelte";
import { term } from "./terms";

/** The title of a game, as its document has it, or put together in Chinese. */
export function gameTitle(title: string): string {
  if (room.language === "en") return title;
  return term(title).replace(/\s*\(/g, "（").replace(/\)/g, "）").replace(/\s+(?=（)/g, "");
}

/** The name of a table, or its id if it has no name. */
export function tableName({ name, id }: { name?: string | null; id: string }): string {
  return name ? term(name).replace(/(?<=\P{ASCII})(\d+)$/u, " $1") : id;
}

/** The names of tables by their ids. Where a name stands twice, the id is beside it. */
export function tableNames(tables: { id: string; name?: string | null }[]): Map<string, string> {
  const names = tables.map(tableName);
  const twice = new Set(names.filter((name, at) => names.indexOf(name) !== at));
  return new Map(tables.map(({ id }, at) => [id, twice.has(names[at]!) && names[at] !== id ? `${names[at]} · ${id}` : names[at]!]));
}

export const CLOTHS = ["green", "teal", "blue", "plum"] as const;

/** The cloth of a game, on its tile and at the table: always the same for one game, mostly different for two. */
export function cloth(game: string): (typeof CLOTHS)[number] {
  let sum = 0;
  for (const letter of game) sum = (Math.imul(sum, 103) + letter.charCodeAt(0)) >>> 0;
  return CLOTHS[(sum >>> 6) % CLOTHS.length]!;
}
