/** The odds of a shoe as the house computes them, and what the page adds: order, differences, removed cards. */

import type { BetOdds, Edition } from "../lib/reference.svelte";
import { asNumber, type Offer } from "./heat";

export interface Worth extends BetOdds {
  hit_frequency: string;
  favours_patron: boolean;
  outcomes: { result: string; odds: string | null; probability: string; coups: string; paragraph: string }[];
}

export interface Sheet {
  game: string;
  edition: string;
  decks: number;
  cards: number;
  coups: string;
  removed: string[];
  bets: Record<string, Worth>;
  insurance: Offer[];
}

export type Order = "layout" | "edge" | "deviation" | "wins";

export interface Row {
  bet: string;
  edge: number;
  deviation: number;
  wins: number;
  favours: boolean;
  /** This edge minus the other sheet's; null if nothing is compared, undefined if the other has no such bet. */
  change: number | null | undefined;
}

/** The given bets with their odds, in the chosen order. */
export function rowsOf(sheet: Sheet, bets: string[], other: Sheet | null, order: Order): Row[] {
  const rows = bets
    .filter((bet) => bet in sheet.bets)
    .map((bet) => {
      const worth = sheet.bets[bet]!;
      const there = other?.bets[bet];
      return {
        bet,
        edge: worth.house_edge,
        deviation: worth.standard_deviation,
        wins: asNumber(worth.hit_frequency),
        favours: worth.favours_patron,
        change: other === null ? null : there && worth.house_edge - there.house_edge,
      };
    });
  if (order === "layout") return rows;
  const down = order === "wins" ? -1 : 1;
  return rows.sort((a, b) => down * (a[order] - b[order]));
}

/** The address of a sheet. `decks` 0: as many as the edition has. */
export function addressOf(edition: string, decks: number, removed: string[]): string {
  const query = [decks ? `decks=${decks}` : "", removed.length ? `removed=${removed.join(",")}` : ""].filter(Boolean).join("&");
  return `/api/odds/${edition}${query ? `?${query}` : ""}`;
}

/** The bets of a layout in its order, or all bets of the edition. */
export function betsOf(edition: Edition, layout: string): string[] {
  return edition.layouts[layout]?.bets ?? Object.keys(edition.bets);
}

const SUITS = "SHDC";

/** The removed cards, from their number by rank. Suits take turns, since none matters more than another here. */
export function cardsGone(gone: Record<string, number>): string[] {
  return Object.entries(gone).flatMap(([rank, count]) => Array.from({ length: count }, (_, at) => rank + SUITS[at % 4]!));
}

/** Reads "8:4,9:2" from the address, without unknown ranks and bad numbers. A number over `most` becomes `most`. */
export function goneOf(text: string, ranks: readonly string[], most: number): Record<string, number> {
  const gone: Record<string, number> = {};
  for (const part of text.split(",")) {
    const [rank = "", count = ""] = part.split(":");
    const number = Number(count);
    if (ranks.includes(rank) && Number.isInteger(number) && number > 0) gone[rank] = Math.min(number, most);
  }
  return gone;
}

export function goneText(gone: Record<string, number>): string {
  return Object.entries(gone)
    .filter(([, count]) => count > 0)
    .map(([rank, count]) => `${rank}:${count}`)
    .join(",");
}

/** Round steps for an axis from 0 to at least `most`, at most `many` of them. */
export function ticks(most: number, many = 5): number[] {
  if (!(most > 0)) return [0];
  const rough = most / many;
  const power = 10 ** Math.floor(Math.log10(rough));
  const unit = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((step) => step >= rough - 1e-12)!;
  const count = Math.ceil(most / unit - 1e-9);
  return Array.from({ length: count + 1 }, (_, at) => at * unit);
}

export const percent = (share: number, digits = 4): string => `${(100 * share).toFixed(digits)} %`.replace("-", "−");
