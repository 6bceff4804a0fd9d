/** An event in one line, as staff would say it: who, where, what. The whole record is a click away. */

import { cardText } from "../cards/faces";
import { called } from "../dealer/call";
import { cents, oddsText, shown } from "../lib/money";
import type { TableEvent } from "../lib/shapes";
import { shared } from "../words/shared";
import { sayKnown, speak } from "../words/speak";
import { eventWords, toldWords } from "./events/words";
import { kindWords } from "./kinds/words";
import { pitWords } from "./words";

/** A bet's name in the page's language. */
export type Named = (bet: string) => string;
type Tell = (value: any, event: Record<string, any>, bet: Named) => string;

const t = speak(toldWords);
const common = speak(shared);
const known = (key: string, otherwise: string) => sayKnown(kindWords, key, otherwise);
const money = (value: string) => shown(cents(value), true);
const listed = (names: string[]) => names.join(", ");
const face = (card: string | null) => (card ? cardText(card) : t("face-down"));
const words: Tell = (value) => value;
const counted = (count: number) => t("cards", { count });

const place: Tell = (value) => known(`place.${value}`, value);

/** The cards hand by hand, or how many there are. */
const hands: Tell = (cards) =>
  Array.isArray(cards)
    ? (["player", "banker"] as const)
        .map((side) => [t(side), ...cards.filter((card) => card.place[0] === side[0]!.toUpperCase()).map((card) => face(card.face))])
        .filter((hand) => hand.length > 1)
        .map((hand) => hand.join(" "))
        .join(", ")
    : counted(cards);

/** What was reported: the kind, and each fact of it. */
export function facts(report: Record<string, any>): string[] {
  const [player, banker] = report.hands ?? [];
  return [
    known(`kind.${report.kind}`, report.kind),
    report.cause && sayKnown(pitWords, `cause.${report.cause}`, report.cause),
    report.cards?.length && report.cards.map((card: { face: string | null }) => face(card.face)).join(" "),
    report.place && known(`place.${report.place}`, report.place),
    report.after && known(`after.${report.after}`, report.after),
    report.insurance,
    player && `${t("player")} ${player.map(face).join(" ")}, ${t("banker")} ${banker.map(face).join(" ")}`,
    report.round && t("round", { round: report.round }),
  ].filter(Boolean);
}

/** The text for each field of an event, in the order in which people would say it; "" if there is nothing to say. */
const TELLS: Record<string, Tell> = {
  irregularity: (report) => facts(report).join(", "),
  kind: (value) => known(`kind.${value}`, value),
  ruling: (value) => sayKnown(eventWords, value, value),
  settings: (value) => t("layout", { id: value.layout }),
  patron: words,
  name: words,
  rank: (value) => known(`rank.${value}`, value),
  round: (round) => t("round", { round }),
  hand: (hand) => t("hand", { hand }),
  shoe: (shoe) => t("shoe", { shoe }),
  box: (box) => t("box", { box }),
  bet: (value, _, bet) => bet(value),
  stake: money,
  chips: money,
  place,
  places: (value: string[]) => listed(value.map((name) => known(`place.${name}`, name))),
  card: face,
  exposed: (value) => (value ? "" : t("face-down")),
  cards: hands,
  count: counted,
  carried: (value) => (value === true ? t("carried") : value ? t("next", { cards: value.map((card: { face: string | null }) => face(card.face)).join(" ") }) : ""),
  skipped: (count) => t("skipped", { count }),
  burn_due: () => t("burn-due"),
  odds: (value) => oddsText(value, common("to")),
  after: (value) => (typeof value === "number" ? t("cut-after", { count: value }) : known(`after.${value}`, value)),
  late: () => t("late"),
  maximum: (value) => listed(Object.entries<string>(value).map(([patron, most]) => t("at-most", { patron, most: money(most) }))),
  minimum: (value) => t("minimum", { amount: money(value) }),
  bound: (value) => sayKnown(toldWords, `bound.${value}`, value),
  in_play: (value) => t("in-play", { amounts: Object.values<string>(value).map(money).join(" · ") }),
  withdrawal: () => t("withdrawal"),
  no_more_rounds: () => t("last-round"),
  limits: (value) => t("limits", { least: money(value.minimum), most: money(value.maximum_differential) }),
  last_round: (round) => t("closes-after", { round }),
  offered: (value) => (value ? t("notice-down") : t("notice-up")),
  asked_by: (patron) => t("asked-by", { patron }),
  way: (value) => sayKnown(toldWords, `way.${value}`, value),
  forgone: (value) => (value === true ? t("forgone") : t("forgone-by", { patrons: listed(value) })),
  patrons: listed,
  option: (value) => sayKnown(pitWords, value, value),
  phase: (value) => t("goes-on", { phase: known(`phase.${value}`, value) }),
  silent: (value) => t("silent", { patrons: listed(value) }),
  player_points: (value, event) => (event.says ? "" : `${t("player")} ${value}`),
  banker_points: (value, event) => (event.says ? "" : `${t("banker")} ${value}`),
  winner: (value, event) => (event.says ? "" : sayKnown(toldWords, `wins.${value}`, value)),
  void: () => t("void"),
  says: (_, event) => `“${called(event)}”`,
  entries: (value: Record<string, string>[]) =>
    listed(value.map((entry) => `${entry.patron} ${entry.paid ? `+${money(entry.paid)}` : `−${money(entry.taken ?? "0")}`}`)),
  lines: (value: unknown[]) => t("lines", { count: value.length }),
  reason: (value) => `“${value}”`,
  note: (value) => `“${value}”`,
  shown: (value) => `“${value}”`,
  by: (value) => `(${value})`,
};

/** Fields that are left out: those that only the house uses, and a shoe's order, salt and commitment. */
export const LEFT_OUT = new Set(
  "event paragraph wager wagers insurance area seated edition opens reconstructed from_shoe tie_paragraph order salt commitment".split(" "),
);
/** Whether the line shows a field. */
export const tells = (field: string): boolean => field in TELLS;

const empty = (value: unknown) => value === undefined || value === null || value === "" || value === false || (Array.isArray(value) && value.length === 0);

export function described(event: TableEvent, bet: Named): string {
  return Object.entries(TELLS)
    .filter(([field]) => !empty(event[field]) || (field in event && FALSE_TOO.has(field)))
    .map(([field, tell]) => tell(event[field], event, bet))
    .filter(Boolean)
    .join(" · ");
}

/** Fields shown even if false: a card not exposed is face down; insurance not offered has its notice up. */
const FALSE_TOO = new Set(["exposed", "offered"]);

/** Whether an event contains a text: in a name, a card, a paragraph or anywhere else. */
export function mentions(event: TableEvent, text: string): boolean {
  return JSON.stringify(event).toLowerCase().includes(text.trim().toLowerCase());
}
