// The course of a day and the spread of its tables as points of a plot.

import type { NamedFigures, DaySheet, Part } from "../lib/house";
import { cents, type Cents } from "../lib/money";

export interface Point {
  at: number;
  result: Cents;
  theoretical: Cents;
}

/** Running sums, from zero at the beginning of the chosen time. */
export function course(sheet: DaySheet): Point[] {
  const points: Point[] = [{ at: Date.parse(sheet.since), result: 0, theoretical: 0 }];
  for (const step of sheet.course) {
    const last = points.at(-1)!;
    // Nothing changes between two steps in which rounds were settled.
    if (Date.parse(step.since) > last.at) points.push({ ...last, at: Date.parse(step.since) });
    points.push({ at: Date.parse(step.at), result: last.result + cents(step.result), theoretical: last.theoretical + cents(step.theoretical) });
  }
  return points;
}

/** The position of a bet or a table in a plot, in standard deviations, at most four either way. */
export function place(part: Part): number {
  return Math.max(-4, Math.min(4, part.off_by ?? 0));
}

/** Standard deviations as text, with a sign. */
export function offText(value: number | null | undefined): string {
  if (value == null) return "–";
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
}

/** The tables that played, the furthest from the theoretical result first. */
export function byDistance<T extends NamedFigures>(tables: T[]): T[] {
  return tables.filter((table) => table.figures.rounds > 0).sort((a, b) => Math.abs(b.figures.bets.off_by ?? 0) - Math.abs(a.figures.bets.off_by ?? 0));
}

const NAME_MOST = 24;

/** A name that fits beside a plot. A long one is cut in its middle: names often differ at their ends. */
export function shortened(name: string): string {
  return name.length > NAME_MOST ? `${name.slice(0, NAME_MOST / 2 - 1)}…${name.slice(-NAME_MOST / 2)}` : name;
}

/** Round steps for an axis that spans these values: at most five. */
export function ticks(low: number, high: number): number[] {
  const wide = Math.max(high - low, 1);
  const raw = wide / 4;
  const size = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * size).find((width) => width >= raw)!;
  const values: number[] = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step / 1e6; at += step) values.push(Math.round(at) || 0);
  return values;
}
