import type { View } from "../lib/shapes";
import { sayKnown } from "../words/speak";
import { tableWords } from "./words";

/** What the table does now, in words. A round that is over without a winner was void, or came to no result. */
export function phaseSaid(view: View): string {
  const now = view.phase === "settled" && view.winner === null ? "no-result" : view.phase;
  return sayKnown(tableWords, `phase.${now}`, view.phase);
}
