// What the house sends, under this page's names. The records are generated from the OpenAPI document: see house.d.ts.
// The fields of events and commands depend on their name; the page uses those that it knows.

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

/** A report as the event holds it, and who made it. */
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

/** A round as it is now. A frame is the round as it was after one of its events. */
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
