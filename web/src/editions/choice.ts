// Which edition a page shows when none is named, and which when only the game is.

import type { Listed } from "../lib/house";
import type { Params } from "../routes/router.svelte";

/** The edition in force, or the last of the list. */
export function newest(list: Listed[]): Listed | undefined {
  return list.find((listed) => listed.in_force) ?? list.at(-1);
}

/** The newest edition of a game. */
export function newestOf(all: Listed[], game: string | undefined): Listed | undefined {
  return newest(all.filter((listed) => listed.game === game));
}

/** The edition that an address names, or the newest of the first game if it names none. */
export function named(all: Listed[], params: Params): Listed | undefined {
  if (!params.game) return newestOf(all, all[0]?.game);
  return all.find((listed) => listed.game === params.game && listed.edition === params.edition);
}
