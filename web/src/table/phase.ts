import { stepSaid } from "../calls/calls";
import { callWords } from "../calls/words";
import type { View } from "../lib/shapes";
import { sayKnown, speak } from "../words/speak";
import { tableWords } from "./words";

const t = speak(callWords);

/** What happens at the table now, in words: the call that opens and closes betting, each step of the deal, who won. A
 * settled round without a winner was void, or came to no result. */
export function phaseSaid(view: View): string {
  if (view.phase === "settled" && view.winner) return sayKnown(callWords, `wins.${view.winner}`, "");
  return dealSaid(view) ?? sayKnown(tableWords, `phase.${view.phase === "settled" ? "no-result" : view.phase}`, view.phase);
}

/** The latest step of the deal; null if no card has been dealt yet, or none is to come. */
function dealSaid(view: View): string | null {
  if (view.phase !== "dealing" && view.phase !== "complete") return null;
  const last = view.drawing?.at(-1);
  if (!last || last.says === "done" || Object.keys(view.cards).length === 0) return null;
  return stepSaid(last);
}
