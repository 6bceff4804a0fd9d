// Commands to a table from a desk that has no socket to it.

import { newKey, post, Problem } from "../lib/api";
import type { FloorTable } from "../lib/house";
import { session } from "../lib/session.svelte";
import type { Answer, Command } from "../lib/shapes";
import { refused } from "../dealer/refusals";

/** Sends commands, all of them or none. Whoever is not on duty at the table goes on duty first. */
export function give(table: FloorTable, ...commands: Command[]): Promise<Answer> {
  const me = session.me?.name ?? "";
  const duty: Command[] = me in table.staff ? [] : [{ do: "start-duty" }];
  return post<Answer>(`/api/tables/${encodeURIComponent(table.id)}/commands`, { key: newKey(), commands: [...duty, ...commands] });
}

/** Why it was refused, with the paragraph. */
export function why(error: unknown): string {
  if (!(error instanceof Problem)) return String(error);
  return `${refused(error)}${error.paragraph ? ` (${error.paragraph})` : ""}`;
}
