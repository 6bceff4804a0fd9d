/** Which facts a report of each kind tells, and what a ruling on it may say. The edition says which kinds there are, who
 * decides and what follows; this says how the question is asked. The server has the last word on both. */

import { amountOf, cardOf } from "../dealer/entry";
import type { Edition } from "../lib/reference.svelte";

export interface Row {
  cite: string;
  decided_by: string;
  remedies: string[];
  options: string;
  options_cite: string | null;
  discretion: string | null;
  goes_by: string | null;
  /** Phases in which the kind is reported; empty where the row is applied in play and never reported. */
  phases?: string[];
}

export type Fact =
  | "cause"
  | "cards"
  | "exposed"
  | "place"
  | "card"
  | "lost"
  | "after"
  | "insurance"
  | "round"
  | "hands"
  | "places"
  | "shown"
  | "note";

export interface Asked {
  fact: Fact;
  needed: boolean;
}

const need = (fact: Fact): Asked => ({ fact, needed: true });
const may = (fact: Fact): Asked => ({ fact, needed: false });

const TELL: Record<string, Asked[]> = {
  void: [need("cause")],
  "cut-card": [],
  "excess-card": [may("cards"), may("exposed"), may("hands")],
  "wrong-hand": [may("cause"), may("cards"), may("hands")],
  "face-up": [need("places")],
  simultaneous: [may("cards"), may("exposed")],
  "damaged-card": [may("place"), may("lost")],
  "late-discovery": [need("round")],
  "late-table-of-play": [need("round"), need("hands")],
  "other-dealing-error": [may("hands")],
  "insurance-missed": [need("after"), may("round")],
  "insurance-misplaced": [need("insurance"), may("round")],
  displays: [need("shown"), may("round")],
  discretion: [may("round"), may("hands")],
  "blue-card": [may("round")],
  "exposed-while-betting": [need("cards")],
  "unneeded-card": [need("cards")],
  "wrong-dealing": [may("round"), may("cards"), may("hands")],
  "dropped-card": [may("exposed")],
};

export const CAUSES: Record<string, string[]> = {
  void: ["foreign-card", "wrong-count", "not-reconstructible", "too-few-cards", "unshuffled"],
  "wrong-hand": ["area", "person"],
};

/** What a report of this kind is asked for; a note always. */
export function factsOf(kind: string): Asked[] {
  return [...(TELL[kind] ?? []), may("note")];
}

export interface Told {
  cause?: string;
  cards?: string[];
  /** At a virtual shoe cards are counted, not named. */
  count?: number;
  exposed?: boolean;
  place?: string;
  /** The cards that lie face up, by place; null where the record knows the card. */
  places?: Record<string, string | null>;
  shown?: string;
  card?: string;
  lost?: boolean;
  after?: string;
  insurance?: string;
  round?: number | null;
  player?: string[];
  banker?: string[];
  note?: string;
}

/** The first fact that is still missing. */
export function missing(kind: string, told: Told, settled = false): Fact | null {
  for (const { fact, needed } of factsOf(kind)) {
    if (needed && !isTold(fact, told)) return fact;
  }
  if (kind === "excess-card" && !isTold("cards", told) && !isTold("hands", told)) return "cards";
  if (kind === "damaged-card" && !told.place && !told.lost) return "place";
  if (kind === "other-dealing-error" && settled && !isTold("hands", told)) return "hands";
  return null;
}

function isTold(fact: Fact, told: Told): boolean {
  switch (fact) {
    case "cards":
      return (told.cards?.length ?? 0) > 0 || (told.count ?? 0) > 0;
    case "hands":
      return (told.player?.length ?? 0) > 0 && (told.banker?.length ?? 0) > 0;
    case "places":
      return Object.keys(told.places ?? {}).length > 0;
    case "round":
      return told.round !== undefined && told.round !== null;
    case "exposed":
      return told.exposed !== undefined;
    case "lost":
      return told.lost === true;
    case "note":
      return true;
    default:
      return Boolean(told[fact]);
  }
}

/** The command of a report: only what this kind tells, so that nothing stale from another form goes along. */
export function reportOf(kind: string, told: Told): Record<string, unknown> {
  const command: Record<string, unknown> = { do: "report-irregularity", kind };
  for (const { fact } of factsOf(kind)) {
    if (!isTold(fact, told)) continue;
    if (fact === "cards" && told.cards?.length) command.cards = told.cards;
    else if (fact === "cards") command.count = told.count;
    else if (fact === "hands") Object.assign(command, { player: told.player, banker: told.banker });
    else if (fact === "lost") {
      if (!told.place) command.count = 1;
    } else if (fact === "note") {
      if (told.note?.trim()) command.note = told.note.trim();
    } else command[fact] = told[fact];
  }
  return command;
}

export type Ruled =
  | "reconstruct"
  | "order"
  | "value"
  | "replace_cards"
  | "end_shoe"
  | "skip"
  | "patrons"
  | "void_rounds"
  | "action"
  | "keep_side_bets"
  | "pay";

const RULE: Record<string, Ruled[]> = {
  "excess-card": ["reconstruct"],
  "wrong-hand": ["reconstruct"],
  simultaneous: ["order", "replace_cards"],
  "damaged-card": ["value"],
  "late-table-of-play": ["reconstruct", "order"],
  "other-dealing-error": ["reconstruct"],
  "insurance-missed": ["patrons"],
  commencement: ["skip", "void_rounds"],
  "unneeded-card": ["end_shoe"],
  "wrong-dealing": ["reconstruct", "order", "end_shoe"],
};

/** Whether a ruling on this kind says if the cards can be reconstructed. */
export const reconstructs = (kind: string): boolean => RULE[kind]?.includes("reconstruct") ?? false;

/** What a ruling on this kind may say. */
export function rulingOf(kind: string, row: Row): Ruled[] {
  return atDiscretion(kind, row) ? ["action"] : (RULE[kind] ?? []);
}

/** Ruled by whatever action fits, in writing, and not by a remedy of its own. */
export function atDiscretion(kind: string, row: Row): boolean {
  return kind === "discretion" || row.goes_by === "discretion";
}

/** The actions that fit what was reported. */
export function actionsOf(kind: string, past: boolean): string[] {
  const own: Record<string, string> = {
    "late-table-of-play": "resettle",
    "damaged-card": "determine",
    "insurance-misplaced": "reposition",
  };
  const found = ["stand", "void", ...(past ? [] : ["options"]), "pay"];
  return own[kind] ? [...found, own[kind]] : found;
}

export interface Ruling {
  reason: string;
  reconstruct: boolean;
  order: string[];
  card: string;
  replace_cards: boolean;
  end_shoe: boolean;
  skip: number;
  action: string;
  keep_side_bets: boolean;
  patrons: string[];
  void_rounds: number[];
  pay: Record<string, string>;
}

export const NO_RULING: Ruling = {
  reason: "",
  reconstruct: true,
  order: [],
  card: "",
  replace_cards: false,
  end_shoe: false,
  skip: 0,
  action: "",
  keep_side_bets: false,
  patrons: [],
  void_rounds: [],
  pay: {},
};

/** Whether this ruling is recorded with its reason. `rows` are the edition's: how cards too many are decided tells
 * whether reconstruction is at reasonable discretion at all. */
export function reasonNeeded(kind: string, rows: Record<string, Row>, ruling: Ruling): boolean {
  const row = rows[kind];
  if (!row) return false;
  if (row.discretion === "reasonable" || atDiscretion(kind, row) || ruling.action === "unfounded") return true;
  if (kind === "exposed-while-shuffling") return true;
  const may_fail = kind === "wrong-hand" || kind === "other-dealing-error";
  return may_fail && !ruling.reconstruct && rows["excess-card"]?.discretion === "reasonable";
}

/** The command of a ruling: only what this kind's ruling says. */
export function decideOf(kind: string, row: Row, ruling: Ruling): Record<string, unknown> {
  const command: Record<string, unknown> = { do: "decide-irregularity" };
  if (ruling.reason.trim()) command.reason = ruling.reason.trim();
  if (ruling.action === "unfounded") return { ...command, action: "unfounded" };
  for (const one of rulingOf(kind, row)) {
    if (one === "action") Object.assign(command, actionOf(ruling));
    else if (one === "value") {
      if (ruling.card) command.card = ruling.card;
    } else if (one === "order" && !ruling.reconstruct) continue;
    else if (one === "reconstruct") command.reconstruct = ruling.reconstruct;
    else if (one === "skip") {
      if (ruling.skip > 0) command.skip = ruling.skip;
    } else {
      const said = ruling[one];
      if (said === true || (Array.isArray(said) && said.length > 0)) command[one] = said;
    }
  }
  return command;
}

function actionOf(ruling: Ruling): Record<string, unknown> {
  const said: Record<string, unknown> = { action: ruling.action };
  if (ruling.action === "determine" && ruling.card) said.card = ruling.card;
  if (ruling.action === "pay") {
    const paid = Object.entries(ruling.pay).map(([patron, text]) => [patron, amountOf(text)] as const);
    said.pay = Object.fromEntries(paid.filter(([, amount]) => amount !== null && Number(amount) > 0));
  }
  if (ruling.action === "void" && ruling.keep_side_bets) said.keep_side_bets = true;
  if (ruling.action === "resettle" && ruling.order.length) said.order = ruling.order;
  return said;
}

/** What was typed into a ruling. */
export interface Typed {
  card: string;
  rounds: string;
  pay: Record<string, string>;
}

/** Whether something typed can't be read. It would be left out without a word, and a ruling without its card voids the round. */
export function unread({ card, rounds, pay }: Typed): boolean {
  if (card.trim() !== "" && cardOf(card) === null) return true;
  if (rounds.split(/[\s,]+/).some((one) => one !== "" && !/^[1-9]\d*$/.test(one))) return true;
  return Object.values(pay).some((one) => one.trim() !== "" && (amountOf(one) ?? "-").startsWith("-"));
}

export const LADDER = ["dealer", "pit-supervisor", "pit-manager", "shift-manager"] as const;

/** Whether somebody of a rank may act where another is needed. */
export function mayActAs(rank: string, needed: string): boolean {
  const ladder = LADDER as readonly string[];
  return ladder.includes(rank) && ladder.includes(needed) && ladder.indexOf(rank) >= ladder.indexOf(needed);
}

/** The lowest rank that may give one of the rulings on a kind: a Dealer puts a new shoe right that others replace (L2). */
export function leastRank(rules: Edition, kind: string, row: Row): string {
  const ranks = rules.kinds?.find((one) => one.kind === kind)?.rulings.filter((one) => one.remedy !== "unfounded").map((one) => one.decided_by) ?? [];
  return LADDER.find((rank) => ranks.includes(rank)) ?? row.decided_by;
}

/** Kinds that can be reported now, and those that can't, in the edition's order. */
export function reportable(rows: Record<string, Row>, phase: string): { now: string[]; later: string[] } {
  const kinds = Object.keys(rows).filter((kind) => (rows[kind]!.phases ?? []).length > 0);
  const heard = (kind: string) => rows[kind]!.phases!.includes(phase) && rows[kind]!.goes_by !== "late-wagers";
  return { now: kinds.filter(heard), later: kinds.filter((kind) => !heard(kind)) };
}
