// A spot in one sentence: what wins on it, from the edition, and the sum of all stakes on it.

import { cents, chipText, oddsText, shown, type Cents } from "../lib/money";
import type { BetRule } from "../lib/reference.svelte";
import type { Box } from "../lib/shapes";
import { shared } from "../words/shared";
import { sayKnown, speak } from "../words/speak";
import { caseWords } from "./cases/words";

const t = speak(caseWords);
const s = speak(shared);

/** "Pays 1 to 2 if the Banker wins on 6, 1 to 1 if …; a tie returns the stake." */
export function winsSaid(rule: BetRule): string {
  const rows = rule.pays.map((row) => t("row", { odds: oddsText(row.odds, s("to")), when: sayKnown(caseWords, row.case, row.case) })).join(t("and"));
  const pays = t(rule.returned_on_tie ? "pays-or-returns" : "pays", { rows });
  return rule.hands ? `${pays} ${t("hands", { hands: rule.hands })}` : pays;
}

/** The sum on a bet over all boxes, and the number of boxes with stakes on it. */
export function inAll(boxes: readonly Box[], bet: string): { sum: Cents; count: number } {
  const stakes = boxes.flatMap((box) => box.stakes[bet] ?? []);
  return { sum: stakes.reduce((sum, stake) => sum + cents(stake), 0), count: stakes.length };
}

/** The same in short, for little room. */
export function inAllShort({ sum, count }: { sum: Cents; count: number }): string {
  return t(count === 1 ? "all-short-one" : "all-short", { sum: chipText(sum), count });
}

export function inAllSaid({ sum, count }: { sum: Cents; count: number }): string {
  return count === 1 ? t("all-one", { sum: shown(sum, true) }) : t("all", { sum: shown(sum, true), count });
}
