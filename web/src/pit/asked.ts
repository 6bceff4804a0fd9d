/** What a second person is asked to approve, line by line in the room's words. What has no word is shown as it is: nothing is
 * approved unseen. */

import { cardText } from "../cards/faces";
import { cents, shown, signed } from "../lib/money";
import { sayKnown, speak } from "../words/speak";
import { described, type Named } from "./describe";
import { eventWords } from "./events/words";
import { reconstructs } from "./facts";
import { kindWords } from "./kinds/words";
import { pitWords } from "./words";

type Line = [label: string, value: string];
type Tell = (value: any, all: Record<string, any>, bet: Named) => Line[];

const t = speak(pitWords);
const rank = (value: string) => sayKnown(kindWords, `rank.${value}`, value);
const faces = (cards: string[]) => cards.map(cardText).join(" ");
const ruled = (sentence: string): Line => [t("ruling"), sentence];

const TELLS: Record<string, Tell> = {
  person: (value) => [[t("person"), value]],
  was: (value) => [[t("rank-before"), rank(value)]],
  role: (value) => [[t("rank"), rank(value)]],
  cents: (value) => [[t("sum"), signed(cents(value))]],
  table: (value) => [[t("tab.table"), value]],
  current: (value) => [[t("current"), String(value)]],
  irregularity: (value, _, bet) => [[t("what"), described({ event: "", irregularity: value }, bet)]],
  paragraph: (value) => [["§", value]],
  after: (value) => [[t("fact.after"), sayKnown(kindWords, `moment.${value}`, value)]],
  insurance: (value) => [[t("fact.insurance"), value]],
  hands: ([player, banker]) => [[t("fact.hands"), `${t("hand.player")} ${faces(player)}, ${t("hand.banker")} ${faces(banker)}`]],
  do: (value, all, bet) =>
    value === "report-chips"
      ? [[sayKnown(eventWords, "chips-reported", value), described({ event: "", patron: all.patron, box: all.box, bet: all.bet, stake: all.stake }, bet)]]
      : [],
  action: (value) => [ruled(value === "unfounded" ? t("unfounded") : sayKnown(pitWords, `action.${value}`, value))],
  reconstruct: (value, all) => (value === false ? [ruled(t("reconstruct-no"))] : !all.action && reconstructs(all.kind) ? [ruled(t("reconstruct"))] : []),
  order: (value) => [[t("order"), faces(value)]],
  card: (value) => [[t("action.determine"), cardText(value)]],
  replace_cards: () => [ruled(t("replace_cards"))],
  end_shoe: () => [ruled(t("end_shoe"))],
  keep_side_bets: () => [ruled(t("keep_side_bets"))],
  skip: (value) => [[t("skip"), String(value)]],
  patrons: (value) => [[t("patrons"), value.join(", ")]],
  void_rounds: (value) => [[t("void_rounds"), value.join(", ")]],
  pay: (value) => Object.entries<string>(value).map(([patron, amount]) => [t("pay", { patron }), shown(cents(amount))]),
  reason: (value) => [[t("reason"), value]],
};

/** Told by another line, or by who asks. */
const ELSEWHERE = new Set("by command kind cause round place patron box bet stake".split(" "));

const empty = (value: unknown) =>
  value === null || value === "" || value === 0 || (typeof value === "object" && Object.keys(value as object).length === 0);

export function asked(what: Record<string, any>, bet: Named): Line[] {
  const all: Record<string, any> = { ...what, ...what.irregularity, ...what.command };
  const fields = [...Object.keys(TELLS), ...Object.keys(all).filter((one) => !(one in TELLS) && !ELSEWHERE.has(one))];
  return fields
    .filter((field) => field in all && !empty(all[field]) && (all[field] !== false || field === "reconstruct"))
    .flatMap((field): Line[] => TELLS[field]?.(all[field], all, bet) ?? [[field, JSON.stringify(all[field])]]);
}
