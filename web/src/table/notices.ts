// Notices to a patron of events that they did not cause: chips returned, a round voided, a shoe ended.

import type { Stored, TableEvent } from "../lib/shapes";

export interface Notice {
  event: string;
  values: Record<string, string | number>;
  paragraph: string | null;
  /** The kind of irregularity, if it was one that needs no decision. */
  kind: string | null;
}

/** Events that everybody is told of. */
const OF_ALL = new Set(["round-voided", "cards-reconstructed", "past-round-corrected", "round-reopened", "replacement-ordered", "cut-card-drawn", "shoe-ended"]);
/** Events that concern one patron. */
const OF_ONE = new Set(["wager-cut", "wager-returned", "original-returned", "insurance-returned", "insurance-repositioned", "ruling-paid", "patron-left"]);

/** The notice about the newest events, if any. If there are several, the last one counts. */
export function notice(fresh: Stored[], patron: string | null): Notice | null {
  let last: Notice | null = null;
  for (const { event } of fresh) {
    if (concerns(event, patron)) last = noticeOf(event);
  }
  return last;
}

function concerns(event: TableEvent, patron: string | null): boolean {
  if (OF_ALL.has(event.event)) return true;
  if (event.event === "irregularity-reported") return event.opens === false;
  // Whoever walks away from wagers knows it.
  if (event.event === "patron-left" && event.forgone === true) return false;
  return OF_ONE.has(event.event) && patron !== null && (event.patron === undefined || event.patron === patron);
}

function noticeOf(event: TableEvent): Notice {
  const values: Notice["values"] = {};
  for (const field of ["stake", "round", "box"]) {
    const value = event[field];
    if (typeof value === "string" || typeof value === "number") values[field] = value;
  }
  const paid = (event.entries as { paid?: string }[] | undefined)?.[0]?.paid;
  if (paid) values.paid = paid;
  const irregular = event.irregularity as { kind?: string } | undefined;
  return { event: event.event, values, paragraph: event.paragraph ?? null, kind: irregular?.kind ?? null };
}
