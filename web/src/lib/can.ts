// What this person can do now, as the house says. Nothing is decided here, only looked up.

import { cents, type Cents } from "./money";
import type { Possible, View } from "./shapes";

/** The first entry for a command, if the house allows that command now. */
export const can = (view: View | null, command: string): Possible | undefined => view?.can?.find((possible) => possible.do === command);

/** How much the limits still allow on a bet in a box; Infinity if no limit applies. */
export function roomIn(view: View, box: number, bet: string): Cents {
  const here = view.boxes[box - 1];
  const left = (view.seat === box ? here?.seated_room?.[bet] : undefined) ?? here?.room?.[bet];
  return left === undefined ? Infinity : cents(left);
}
