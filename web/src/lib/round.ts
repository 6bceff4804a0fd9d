// Commands that mean “this round”. Each names the round that its sender saw, and the house refuses it in any other.

import { can } from "./can";
import type { Command, View } from "./shapes";

const IN_A_ROUND = new Set([
  "place-wager",
  "raise-wager",
  "lower-wager",
  "withdraw-wager",
  "close-betting",
  "report-chips",
  "ask-squeeze",
  "grant-squeeze",
  "ask-banker-first",
  "grant-banker-first",
  "draw-card",
  "draw-cut-card",
  "expose-card",
  "take-insurance",
  "decline-insurance",
  "settle",
  "report-irregularity",
  "decide-irregularity",
  "choose-option",
  "resume-play",
]);

/** The command with the round that the view shows, if it names none. A report on a new shoe names no round (O31). */
export function inRound(command: Command, view: View | null): Command {
  if (view?.round == null || !IN_A_ROUND.has(command.do)) return command;
  if (command.do === "report-irregularity" && can(view, command.do)?.round == null) return command;
  return { round: view.round, ...command };
}
