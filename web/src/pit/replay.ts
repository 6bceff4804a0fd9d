/** A round told step by step: what its events add up to so far. It repeats what is on record and judges nothing. */

import { cents } from "../lib/money";
import type { Line, Stored, TableEvent } from "../lib/shapes";

export interface Laid {
  patron: string;
  box: number;
  bet: string;
  stake: number;
  inPlay: number;
}

export interface Insured {
  patron: string;
  bet: string;
  after: string;
  stake: number;
}

/** What was reported, as the event holds it. */
export interface Report {
  kind: string;
  paragraph: string;
  phase: string;
  established: boolean;
  cause: string | null;
  cards: { face: string | null; exposed: boolean }[];
  place: string | null;
  after: string | null;
  insurance: string | null;
  round: number | null;
  hands: [string[], string[]] | null;
  by: string;
  note: string;
}

export interface Told {
  phase: string;
  round: number | null;
  hand: number | null;
  edition: string | null;
  /** Place to face, in the order in which the cards lie; null is a card face down. */
  cards: Record<string, string | null>;
  /** Cards that have left the shoe and wait for their place. */
  waiting: (string | null)[];
  wagers: Record<string, Laid>;
  insurance: Record<string, Insured>;
  offer: { bet: string; odds: string; after: string; late: boolean } | null;
  said: string[];
  /** Who asked to squeeze which cards, or for the Banker's third card first, and whether it was granted. */
  squeeze: { patron: string; places: string[]; granted: boolean } | null;
  bankerFirst: { patron: string; way: string; granted: boolean } | null;
  irregularity: string | null;
  /** The open report as it was made. */
  report: Report | null;
  /** Where play stood when the irregularity was reported. */
  stood: string;
  choices: Record<string, string>;
  winner: string | null;
  /** Settled, void or over without a result. */
  ended: boolean;
  void: boolean;
  lines: Line[];
}

export const START: Told = {
  phase: "ready",
  round: null,
  hand: null,
  edition: null,
  cards: {},
  waiting: [],
  wagers: {},
  insurance: {},
  offer: null,
  said: [],
  squeeze: null,
  bankerFirst: null,
  report: null,
  irregularity: null,
  stood: "ready",
  choices: {},
  winner: null,
  ended: false,
  void: false,
  lines: [],
};

type Fields = Record<string, any>;
type Step = (told: Told, event: Fields) => Partial<Told>;

/** The state after each event: `states[0]` is before the first one. */
export function replayed(events: Stored[]): Told[] {
  const states = [START];
  for (const one of events) states.push(step(states.at(-1)!, one.event));
  return states;
}

export function step(told: Told, event: TableEvent): Told {
  const says = typeof event.says === "string" ? { said: [...told.said, event.says] } : {};
  return { ...told, ...says, ...(STEPS[event.event]?.(told, event) ?? {}) };
}

function changed(told: Told, wager: string, by: number): Partial<Told> {
  const laid = told.wagers[wager];
  if (!laid) return {};
  const stake = laid.stake + by;
  const { [wager]: _, ...others } = told.wagers;
  return { wagers: stake > 0 ? { ...told.wagers, [wager]: { ...laid, stake, inPlay: stake } } : others };
}

const laid: Step = (told, event) => {
  const there = told.wagers[event.wager];
  const stake = (there?.stake ?? 0) + cents(event.stake);
  const inPlay = (there?.inPlay ?? 0) + cents(event.stake);
  const { patron, box, bet } = event;
  return { wagers: { ...told.wagers, [event.wager]: { patron, box, bet, stake, inPlay } } };
};

const lowered: Step = (told, event) => changed(told, event.wager, -cents(event.stake));

/** New lines take the place of those of the same wagers. */
function rewritten(told: Told, lines: Line[] = []): Line[] {
  const names = new Set(lines.map((line) => line.wager));
  return [...told.lines.filter((line) => !names.has(line.wager)), ...lines];
}

function placed(cards: { place: string; face: string | null }[] = []): Record<string, string | null> {
  return Object.fromEntries(cards.map((one) => [one.place, one.face]));
}

const faces = (cards: { face: string | null }[] = []) => cards.map((one) => one.face);

/** The round is over and has no result; one that had been settled leaves the table as it stood. */
function withoutResult(told: Told): Partial<Told> {
  const phase = told.ended && told.irregularity !== null ? told.stood : "settled";
  return { phase, ended: true, winner: null, offer: null, irregularity: null };
}

const STEPS: Record<string, Step> = {
  "table-closed": () => ({ phase: "closed" }),
  "shoe-loaded": (_told, event) => ({ phase: event.burn_due ? "commencing" : "ready", waiting: [] }),
  "cards-burnt": () => ({ phase: "ready" }),
  "shoe-ended": () => ({ phase: "no-shoe" }),
  "betting-opened": (told, event) => ({
    ...START,
    said: [event.says],
    waiting: told.waiting,
    phase: "betting",
    round: event.round,
    hand: event.hand,
    edition: event.edition,
  }),
  "wager-placed": laid,
  "chips-reported": laid,
  "wager-raised": (told, event) => changed(told, event.wager, cents(event.stake)),
  "wager-lowered": lowered,
  "wager-withdrawn": lowered,
  "wager-cut": lowered,
  "wager-returned": lowered,
  "betting-closed": () => ({ phase: "dealing" }),
  "pro-rated": (told, event) => ({
    wagers: Object.fromEntries(
      Object.entries(told.wagers).map(([name, one]) => [
        name,
        name in event.in_play ? { ...one, inPlay: cents(event.in_play[name]) } : one,
      ]),
    ),
  }),
  "card-drawn": (told, event) => ({
    phase: "dealing",
    cards: { ...told.cards, [event.place]: event.exposed ? event.card : null },
    waiting: event.carried ? told.waiting.slice(1) : told.waiting,
  }),
  "squeeze-asked": (_told, event) => ({ squeeze: { patron: event.patron, places: event.places, granted: false } }),
  "squeeze-granted": (told) => ({ squeeze: told.squeeze && { ...told.squeeze, granted: true } }),
  "squeeze-passed": (told, event) => ({ squeeze: told.squeeze && { ...told.squeeze, patron: event.patron } }),
  "banker-first-asked": (_told, event) => ({ bankerFirst: { patron: event.patron, way: event.way, granted: false } }),
  "banker-first-granted": (told) => ({ bankerFirst: told.bankerFirst && { ...told.bankerFirst, granted: true } }),
  "card-exposed": (told, event) => ({ cards: { ...told.cards, [event.place]: event.card } }),
  "card-determined": (told, event) => ({ cards: { ...told.cards, [event.place]: event.card } }),
  "cut-card-drawn": (told, event) => (event.withdrawal ? { phase: "cut-card" } : {}),
  "coup-completed": () => ({ phase: "complete" }),
  "insurance-offered": (told, event) => ({
    phase: "offer",
    irregularity: event.late ? null : told.irregularity,
    offer: { bet: event.bet, odds: event.odds, after: event.after, late: event.late === true },
  }),
  "insurance-taken": (told, event) => ({
    insurance: {
      ...told.insurance,
      [event.insurance]: { patron: event.patron, bet: event.bet, after: event.after, stake: cents(event.stake) },
    },
  }),
  "insurance-closed": () => ({ phase: "dealing", offer: null }),
  "round-settled": (told, event) => ({
    phase: "settled",
    ended: true,
    winner: event.winner,
    lines: rewritten(told, event.lines),
  }),
  "round-concluded": (told) => withoutResult(told),
  "irregularity-reported": (told, event) => ({
    irregularity: event.irregularity.kind,
    report: { ...event.irregularity, by: event.by, note: event.note ?? "" },
    waiting: [...told.waiting, ...faces(event.irregularity.cards)],
    stood: event.irregularity.phase,
    phase: event.opens ? "irregularity" : told.phase,
  }),
  "cards-reconstructed": (_told, event) => ({ cards: placed(event.cards), waiting: faces(event.carried) }),
  "cards-discarded": (told, event) => (event.from_shoe ? {} : { waiting: told.waiting.slice(event.count) }),
  "options-opened": (_told, event) => ({
    phase: "options",
    choices: Object.fromEntries((event.patrons as string[]).map((name) => [name, ""])),
  }),
  "option-chosen": (told, event) => {
    const choices = { ...told.choices, [event.patron]: event.option };
    if (event.option !== "returned") return { choices };
    const gone = new Set(((event.lines ?? []) as Line[]).map((line) => line.wager));
    const without = <T>(all: Record<string, T>) =>
      Object.fromEntries(Object.entries(all).filter(([name]) => !gone.has(name)));
    return {
      choices,
      wagers: without(told.wagers),
      insurance: without(told.insurance),
      lines: rewritten(told, event.lines),
    };
  },
  "play-resumed": (_told, event) => ({ phase: event.phase, irregularity: null, choices: {} }),
  "report-withdrawn": (told) => ({ waiting: [], irregularity: told.irregularity }),
  "round-voided": (told, event) => ({ ...withoutResult(told), void: true, lines: rewritten(told, event.lines) }),
  "round-reopened": (told, event) => ({
    winner: null,
    ended: false,
    stood: "dealing",
    cards: placed(event.cards),
    waiting: faces(event.carried),
    lines: told.lines.filter((line) => !(line.wager in told.wagers) && !(line.wager in told.insurance)),
  }),
  "insurance-returned": (told, event) => {
    const gone = new Set((event.lines as Line[]).map((line) => line.wager));
    return {
      lines: rewritten(told, event.lines),
      insurance: Object.fromEntries(Object.entries(told.insurance).filter(([name]) => !gone.has(name))),
    };
  },
  "past-round-corrected": (told, event) =>
    event.round === told.round
      ? {
          winner: event.winner,
          void: event.void,
          lines: rewritten(told, event.lines),
          cards: event.cards?.length ? placed(event.cards) : told.cards,
        }
      : {},
  "original-returned": (told, event) =>
    event.round === told.round ? { lines: rewritten(told, event.lines) } : {},
  "insurance-repositioned": (told, event) =>
    event.round === told.round ? { lines: rewritten(told, event.lines) } : {},
};

export const GROUPS = ["people", "betting", "cards", "insurance", "result", "irregular"] as const;
export type Group = (typeof GROUPS)[number];

const OF_GROUP: Record<string, Group> = Object.fromEntries(
  (
    [
      ["people", "table-opened table-closed duty-started duty-ended patron-joined chips-bought chips-cashed"],
      ["people", "seat-taken seat-left patron-left insurance-notice"],
      ["betting", "betting-opened wager-placed wager-raised wager-lowered wager-withdrawn wager-cut excess-rejected"],
      ["betting", "minimum-noticed wager-returned betting-closed chips-reported pro-rated"],
      ["cards", "shoe-loaded cut-card-placed cards-burnt cut-card-drawn shoe-ended card-drawn card-exposed"],
      ["cards", "coup-completed squeeze-asked squeeze-granted banker-first-asked banker-first-granted squeeze-passed"],
      ["insurance", "insurance-offered insurance-taken insurance-declined insurance-closed"],
      ["result", "round-settled round-concluded"],
    ] as [Group, string][]
  ).flatMap(([group, tags]) => tags.split(" ").map((tag) => [tag, group])),
);

/** The filter that an event falls under; what is named nowhere else belongs to irregularities and their remedies. */
export function groupOf(tag: string): Group {
  return OF_GROUP[tag] ?? "irregular";
}

/** The events since the last betting opened: the current round. All of them where none has opened yet. */
export function current(events: Stored[]): Stored[] {
  const at = events.findLastIndex((one) => one.event.event === "betting-opened");
  return at < 0 ? events : events.slice(at);
}

/** The events of one round: from its betting to the next, and later ones that name it. */
export function ofRound(events: Stored[], round: number): Stored[] {
  const found: Stored[] = [];
  let current: number | null = null;
  for (const one of events) {
    if (one.event.event === "betting-opened") current = one.event.round as number;
    if (current === round || one.event.round === round) found.push(one);
  }
  return found;
}
