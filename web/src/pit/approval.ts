/** What a second person is asked to approve, line by line in the page's language. A field without a text is shown as it
 * is: nothing is approved unseen. */

import { cardText } from "../cards/faces";
import { cents, shown, signed } from "../lib/money";
import type { Edition } from "../lib/reference.svelte";
import { sayKnown, speak } from "../words/speak";
import { described, type Named } from "./describe";
import { eventWords } from "./events/words";
import { fieldWord, word } from "./form";
import { pitWords } from "./words";

type Line = [label: string, value: string];
type Tell = (value: any, all: Record<string, any>, bet: Named) => Line[];

const t = speak(pitWords);
const rank = (value: string) => word(`rank.${value}`, value);

const TELLS: Record<string, Tell> = {
  person: (value) => [[t("person"), value]],
  was: (value) => [[t("rank-before"), rank(value)]],
  role: (value) => [[t("rank"), rank(value)]],
  cents: (value) => [[t("sum"), signed(cents(value))]],
  table: (value) => [[t("tab.table"), value]],
  current: (value) => [[t("current"), String(value)]],
  irregularity: (value, _, bet) => [[t("what"), described({ event: "", irregularity: value }, bet)], ["§", value.paragraph]],
  do: (value, all, bet) =>
    value === "report-chips"
      ? [[sayKnown(eventWords, "chips-reported", value), described({ event: "", patron: all.patron, box: all.box, bet: all.bet, stake: all.stake }, bet)]]
      : [],
};

/** Fields without a line of their own: another line shows them, or the name of whoever asks. The reason comes last. */
const ELSEWHERE = new Set("by command round patron box bet stake reason".split(" "));

const empty = (value: unknown) => value === null || value === "" || value === 0 || (typeof value === "object" && Object.keys(value as object).length === 0);

/** The lines for a field of a ruling, by its type in the published rows. */
function ruled(rules: Edition, name: string, value: any): Line[] {
  const said = word(`${name}.${value}`, "");
  if (said) return [[t("ruling"), said]];
  const field = rules.kinds.flatMap((kind) => kind.rulings.flatMap((ruling) => ruling.fields)).find((candidate) => candidate.name === name);
  if (field?.type === "flag") return value === field.stands ? [] : [[t("ruling"), fieldWord(name)]];
  if (field?.type === "amounts") return Object.entries<string>(value).map(([patron, amount]) => [`${fieldWord(name)} ${patron}`, shown(cents(amount))]);
  if (field?.holds === "card") return [[fieldWord(name), [value].flat().map(cardText).join(" ")]];
  return [[fieldWord(name), field ? [value].flat().join(", ") : JSON.stringify(value)]];
}

export function approvalLines(what: Record<string, any>, rules: Edition, bet: Named): Line[] {
  const all: Record<string, any> = { ...what, ...what.command };
  const own = Object.keys(all).filter((name) => !(name in TELLS) && !ELSEWHERE.has(name));
  return [
    ...Object.keys(TELLS).flatMap((name) => (empty(all[name] ?? null) ? [] : TELLS[name]!(all[name], all, bet))),
    ...own.flatMap((name) => (empty(all[name]) ? [] : ruled(rules, name, all[name]))),
    ...(all.reason ? [[t("reason"), all.reason] as Line] : []),
  ];
}
