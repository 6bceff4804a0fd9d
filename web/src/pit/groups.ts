/** Which events belong together: by what they are about, and by their round. */

import type { Stored } from "../lib/shapes";

export const GROUPS = ["people", "betting", "cards", "insurance", "result", "irregular"] as const;
export type Group = (typeof GROUPS)[number];

const OF_GROUP: Record<string, Group> = Object.fromEntries(
  (
    [
      ["people", "table-opened table-closed duty-started duty-ended patron-joined chips-bought chips-cashed"],
      ["people", "seat-taken seat-left patron-left insurance-notice limits-set closing-announced"],
      ["betting", "betting-opened wager-placed wager-raised wager-lowered wager-withdrawn wager-cut excess-rejected"],
      ["betting", "minimum-noticed wager-returned betting-closed chips-reported pro-rated"],
      ["cards", "shoe-loaded cut-card-placed cards-burnt cut-card-drawn shoe-ended card-drawn card-exposed"],
      ["cards", "coup-completed squeeze-asked squeeze-granted banker-first-asked banker-first-granted squeeze-passed"],
      ["insurance", "insurance-offered insurance-taken insurance-declined insurance-closed"],
      ["result", "round-settled round-concluded"],
    ] as [Group, string][]
  ).flatMap(([group, tags]) => tags.split(" ").map((tag) => [tag, group])),
);

/** The group of an event. Events that are not listed belong to irregularities and their remedies. */
export function groupOf(tag: string): Group {
  return OF_GROUP[tag] ?? "irregular";
}

/** The events of the current round: since betting last opened, or all of them if it has not opened yet. */
export function current(events: Stored[]): Stored[] {
  const at = events.findLastIndex((entry) => entry.event.event === "betting-opened");
  return at < 0 ? events : events.slice(at);
}

/** The events of one round: from its betting until the next betting opens, and later ones that name the round. */
export function ofRound(events: Stored[], round: number): Stored[] {
  const entries: Stored[] = [];
  let current: number | null = null;
  for (const entry of events) {
    if (entry.event.event === "betting-opened") current = entry.event.round as number;
    if (current === round || entry.event.round === round) entries.push(entry);
  }
  return entries;
}
