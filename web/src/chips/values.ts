// Chips: which of them a table has in its tray, and how an amount is split into a stack.

import type { Cents } from "../lib/money";

/** The casino's chips, in whole units of the currency. */
const CHIPS = [1, 5, 10, 25, 50, 100, 500, 1_000, 5_000, 10_000, 25_000, 100_000, 500_000, 1_000_000].map((units) => units * 100);
export const TRAY = 6;

/** The chips for a table whose smallest bet is `least` and whose largest is `most`: at most six, beginning with the
 * largest chip that is not over `least`. */
export function tray(least: Cents, most: Cents): Cents[] {
  const first = Math.max(CHIPS.filter((chip) => chip <= least).length - 1, 0);
  const fitting = CHIPS.slice(first).filter((chip) => chip <= most || chip === CHIPS[first]);
  return fitting.slice(0, TRAY);
}

/** The largest chip below an amount, or the smallest chip if none is below. */
export const chipBelow = (value: Cents): Cents => CHIPS.findLast((chip) => chip < value) ?? CHIPS[0]!;

/** An amount as chips, largest first. What no chip covers is left over as `rest`. */
export function split(amount: Cents): { chips: Cents[]; rest: Cents } {
  const chips: Cents[] = [];
  let rest = amount;
  for (const chip of [...CHIPS].reverse()) {
    const count = Math.trunc(rest / chip);
    for (let i = 0; i < Math.min(count, 40); i++) chips.push(chip);
    rest -= count * chip;
  }
  return { chips, rest };
}

const COLOURS: [from: Cents, fill: string, edge: string, text: string][] = [
  [100_000_00, "#e2b857", "#7a5600", "#241900"],
  [10_000_00, "#f4f1e6", "#b3832a", "#1d2430"],
  [5_000_00, "#8a5a2b", "#f0d9b8", "#ffffff"],
  [1_000_00, "#d9a514", "#fff3c4", "#241900"],
  [500_00, "#5b2a86", "#e5d2f5", "#ffffff"],
  [100_00, "#161c26", "#d7dce5", "#ffffff"],
  [50_00, "#c2541b", "#ffe3cf", "#ffffff"],
  [25_00, "#1c7a46", "#d4f2df", "#ffffff"],
  [10_00, "#2461b8", "#d8e7ff", "#ffffff"],
  [5_00, "#b3202f", "#ffdfe2", "#ffffff"],
  [0, "#e8ebf0", "#7c879a", "#1d2430"],
];

/** A chip's colour shows its value, and so does its text. */
export function colours(value: Cents): { fill: string; edge: string; text: string } {
  const [, fill, edge, text] = COLOURS.find(([from]) => value >= from)!;
  return { fill, edge, text };
}
