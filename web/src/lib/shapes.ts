// What the house sends, by the names of this page. The records are written from the OpenAPI document: see house.d.ts. Of events and
// commands a page reads and writes the fields that it knows: which there are depends on their name.

import type { View } from "./house";

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

export interface Command {
  do: string;
  [field: string]: unknown;
}

export interface Answer {
  table: string;
  version: number;
  events: TableEvent[];
}
