// What the one who looks can do now, as the house says it. Nothing here judges: a page looks up.

import { cents, type Cents } from "./money";
import type { Possible, View } from "./shapes";

/** A command that would be heard, the first of its name. */
export const can = (view: View | null, command: string): Possible | undefined => view?.can?.find((one) => one.do === command);

/** The room that the limits leave on a bet in a box; none where no limit bounds it. */
export function roomIn(view: View, box: number, bet: string): Cents {
  const here = view.boxes[box - 1];
  const left = (view.seat === box ? here?.seated_room?.[bet] : undefined) ?? here?.room?.[bet];
  return left === undefined ? Infinity : cents(left);
}
