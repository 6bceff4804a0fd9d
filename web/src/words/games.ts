// What games and tables are called, and the cloth that they are played on. The documents have English titles only; in Chinese a title
// is put together from the trade's own terms, as the names of bets are.

import { room } from "./room.svelte";
import { term } from "./terms";

/** The title of a game, as its document has it. */
export function gameTitle(title: string): string {
  if (room.language === "en") return title;
  return term(title).replace(/\s*\(/g, "（").replace(/\)/g, "）").replace(/\s+(?=（)/g, "");
}

/** What people call a table; without a name it goes by its id. */
export function tableName({ name, id }: { name?: string | null; id: string }): string {
  return name ? term(name).replace(/(?<=\P{ASCII})(\d+)$/u, " $1") : id;
}

export const CLOTHS = ["green", "teal", "blue", "plum"] as const;

/** The cloth of a game, on its tile and at the table: always the same for one game, and most often another for another. */
export function cloth(game: string): (typeof CLOTHS)[number] {
  let sum = 0;
  for (const letter of game) sum = (Math.imul(sum, 103) + letter.charCodeAt(0)) >>> 0;
  return CLOTHS[(sum >>> 6) % CLOTHS.length]!;
}
