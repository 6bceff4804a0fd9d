// The patron's chips on the layout, as wishes. A wish says where every chip should be. `plan` gives the commands that
// lead from the stakes on the layout to the wish. Tap, undo, clear, double and repeat are all wishes.

import { amount, cents, type Cents } from "../lib/money";
import type { Command, Wager } from "../lib/shapes";

/** Spot → chips. A spot is one bet in one box. */
export type Stakes = ReadonlyMap<string, Cents>;

export const spot = (box: number, bet: string): string => `${box}:${bet}`;

export function spotOf(key: string): { box: number; bet: string } {
  const at = key.indexOf(":");
  return { box: Number(key.slice(0, at)), bet: key.slice(at + 1) };
}

/** What the house has accepted. */
export function accepted(wagers: Wager[]): Stakes {
  return new Map(wagers.map((wager) => [spot(wager.box, wager.bet), cents(wager.stake)]));
}

export function total(stakes: Stakes): Cents {
  let sum = 0;
  for (const stake of stakes.values()) sum += stake;
  return sum;
}

/** One chip more on a spot. */
export function tapped(stakes: Stakes, at: string, chip: Cents): Stakes {
  return new Map(stakes).set(at, (stakes.get(at) ?? 0) + chip);
}

export function doubled(stakes: Stakes): Stakes {
  return new Map([...stakes].map(([at, value]) => [at, value * 2]));
}

/** The stakes of the last round as a new wish: only on the given bets and boxes. */
export function repeated(last: Stakes, bets: string[], boxes: number[]): Stakes {
  return new Map([...last].filter(([at]) => bets.includes(spotOf(at).bet) && boxes.includes(spotOf(at).box)));
}

/** The commands that turn the present stakes into the wish. Chips come off before chips go on. */
export function plan(now: Stakes, wish: Stakes): Command[] {
  const off: Command[] = [];
  const on: Command[] = [];
  for (const at of new Set([...now.keys(), ...wish.keys()])) {
    const { box, bet } = spotOf(at);
    const before = now.get(at) ?? 0;
    const after = wish.get(at) ?? 0;
    if (after === before) continue;
    if (after === 0) off.push({ do: "withdraw-wager", box, bet });
    else if (after < before) off.push({ do: "lower-wager", box, bet, stake: amount(before - after) });
    else if (before === 0) on.push({ do: "place-wager", box, bet, stake: amount(after) });
    else on.push({ do: "raise-wager", box, bet, stake: amount(after - before) });
  }
  return [...off, ...on];
}

/** The spots that a plan touches. */
export function touched(commands: Command[]): string[] {
  return commands.map((command) => spot(command.box as number, command.bet as string));
}
