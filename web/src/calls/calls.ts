// The calls at a table, made from its view. Nothing is decided here: the view says which hand draws and which stands.

import type { View } from "../lib/shapes";
import { sayKnown, speak } from "../words/speak";
import { callWords } from "./words";

const t = speak(callWords);
const AFTER_THE_CLOSE = new Set(["dealing", "cut-card", "offer", "complete"]);
const STEPS = new Set(["natural", "player-draws", "player-stands", "banker-draws", "banker-stands"]);

type Step = NonNullable<View["drawing"]>[number];

/** A step of the deal in words: "Player draws", "Banker stands on 7". */
export const stepSaid = (step: Step): string => t(step.says as "deal", step.points == null ? {} : { points: step.points });

/** The result as staff call it. */
export function resultSaid(view: View): string {
  const winner = sayKnown(callWords, `wins.${view.winner}`, "");
  return t("result", { player: view.points?.player ?? "–", banker: view.points?.banker ?? "–", winner });
}

/** All calls of the round so far, as the view shows them, in the order of play. Each has a key of its own. */
function called(view: View): Map<string, string> {
  const all = new Map<string, string>();
  if (view.phase === "betting") all.set("open", t("open"));
  if (AFTER_THE_CLOSE.has(view.phase)) all.set("close", t("close"));
  for (const step of view.drawing ?? []) if (STEPS.has(step.says)) all.set(step.says, stepSaid(step));
  const offer = view.on_offer;
  if (offer) all.set(`offer.${offer.after}`, t(offer.bet, { points: offer.bet === "player_insurance" ? offer.player_points : offer.banker_points }));
  if (view.phase === "settled" && view.winner) all.set("result", resultSaid(view));
  return all;
}

/** Follows one table and returns the new calls. What the first view already shows is not called. */
export class Caller {
  private done: Set<string> | null = null;
  private round: number | null = null;

  hear(view: View): string[] {
    const all = called(view);
    if (this.done === null) {
      this.done = new Set(all.keys());
      this.round = view.round;
      return [];
    }
    if (view.round !== this.round) this.done.clear();
    this.round = view.round;
    const fresh = [...all].filter(([name]) => !this.done!.has(name));
    for (const [name] of fresh) this.done.add(name);
    return fresh.map(([, text]) => text);
  }
}
