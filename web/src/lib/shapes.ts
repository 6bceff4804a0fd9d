// What the house sends, by the names of this page. The records are written from the OpenAPI document: see house.d.ts. Of events and
// commands a page reads and writes the fields that it knows: which there are depends on their name.

import type { PastRound as Past, View } from "./house";

export type { BetLimits, Box, Clock, Drawing, InsuranceSeen as Insured, Insuring, Me, OnOffer, Possible, SettledLine as Line, TableLimits as Limits, TableShown, View, WagerSeen as Wager } from "./house";

export type Phase = View["phase"];

export interface TableEvent {
  event: string;
  paragraph?: string;
  [field: string]: unknown;
}

export interface Stored {
  version: number;
  at: string;
  event: TableEvent;
}

/** What was reported, as the event holds it, with who did so. */
export interface Report {
  kind: string;
  paragraph: string;
  established: boolean;
  cause: string | null;
  cards: { face: string | null; exposed: boolean }[];
  place: string | null;
  after: string | null;
  insurance: string | null;
  round: number | null;
  hands: [string[], string[]] | null;
  by: string;
  note: string;
}

/** A round as it stands now; a frame is one as it stood after one of its events. */
export type PastRound = Omit<Past, "events"> & { events: Stored[] };
export type Frame = Omit<Past, "events"> & { events: [Stored] };

export interface Command {
  do: string;
  [field: string]: unknown;
}

export interface Answer {
  table: string;
  version: number;
  events: TableEvent[];
}
