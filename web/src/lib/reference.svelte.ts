// Editions, their differences and odds as the house gives them. They never change while the house runs, so each is fetched once and kept.

import { get } from "./api";
import type { Listed } from "./house";

export interface PayRow {
  case: string;
  odds: string;
  paragraph: string;
  /** Its odds in the one form that people read. */
  said: string;
}

export interface BetRule {
  name: string;
  main: boolean;
  paragraph: string;
  /** The hand, or the tie, that its whole pay table is about. */
  about: "player" | "banker" | "tie" | null;
  pays: PayRow[];
  /** The paragraph by which a tie returns it; null where a tie does not. */
  returned_on_tie: string | null;
  hands: number | null;
}

export interface InsuranceRow {
  bet: string;
  after: string;
  player_points: number[];
  banker_points: number[];
  odds: string;
  said: string;
  tie_pays: boolean;
  paragraph: string;
}

export interface Paragraph {
  number: string;
  kind: string;
  topics: string[];
  gist: string;
}

export interface IrregularityRule {
  id?: string;
  paragraph?: string;
  cite?: string;
  decided_by: string;
  remedies: string[];
  options: string;
  options_cite?: string | null;
  discretion?: string | null;
  goes_by?: string | null;
  /** Phases in which the kind can be reported; none if the row is applied in play. */
  phases?: string[];
}

/** A field of a report or a ruling. `type` and `holds` determine how it is entered. */
export interface Field {
  name: string;
  type: string;
  holds: string | null;
  choices: string[];
  needed: boolean;
  stands: boolean;
  short: boolean;
}

/** A kind of irregularity that can be reported: the fields of the report, and the possible rulings. */
export interface Kind {
  kind: string;
  paragraph: string;
  /** The lowest rank that rules on it, unless a ruling has its own. */
  decided_by: string;
  phases: string[];
  fields: Field[];
  rulings: { remedy: string; says: Record<string, boolean | string>; unsaid: boolean; fields: Field[]; reason_needed?: boolean }[];
}

/** The drawing rules as printed: by points, and for the Banker by the points of the Player's third card. */
export interface TableOfPlay {
  player: boolean[];
  banker: boolean[][];
  banker_alone: boolean[];
  naturals: number[];
  player_cite: string;
  banker_cite: string;
  alone_cite: string;
}

export interface Edition {
  game: string;
  edition: string;
  title: string;
  in_force_from: string | null;
  decks: number[];
  layouts: Record<string, { positions: number[]; bets: string[]; paragraph: string }>;
  bets: Record<string, BetRule>;
  insurance: InsuranceRow[];
  /** The places of each hand, in the order of the deal. */
  hands: Record<string, string[]>;
  paragraphs: Paragraph[];
  rulings: { id: string; topics: string[]; gist: string }[];
  errata: { cite: string; says: string; read_as: string; ruling: string }[];
  names: { of: string; script: string; text: string; cite: string }[];
  version?: string | null;
  authority?: string | null;
  operator?: string | null;
  note?: string | null;
  decks_default?: number;
  table_of_play?: TableOfPlay;
  procedure?: Record<string, unknown>;
  kinds: Kind[];
  irregularities?: Record<string, IrregularityRule> | (IrregularityRule & { id: string })[];
}

export interface BetOdds {
  paragraph: string;
  expectation: string;
  house_edge: number;
  standard_deviation: number;
  outcomes: { result: string; odds: string | null; probability: string }[];
}

export interface OddsSheet {
  game: string;
  edition: string;
  decks: number;
  bets: Record<string, BetOdds>;
  insurance: (InsuranceRow & { player_points: number; banker_points: number; house_edge: number; won: string; returned: string; lost: string })[];
}

/** Counts arrivals. It is created here and not in `Kept`, because state that is created inside a `$derived` does not
 * trigger that `$derived`. */
let arrivals = $state(0);
const RETRY_MS = 5_000;

/** Something that is being fetched: nothing yet, the value, or why it can't be fetched. */
class Kept<T> {
  promise: Promise<T>;
  private got: T | null = null;
  private why: unknown;
  private failedAt: number | null = null;

  /** `failed`: why the last attempt failed. It counts until this one is answered. */
  constructor(address: string, failed: unknown = null) {
    this.why = failed;
    this.promise = get<T>(address);
    this.promise.then(
      (value) => {
        this.got = value;
        this.why = null;
        arrivals += 1;
      },
      (error) => {
        this.why = error;
        this.failedAt = Date.now();
        arrivals += 1;
        // If the house did not or could not answer, it is asked again as long as the page needs the value.
        if (error.status === 0 || error.status === 429 || error.status >= 500) setTimeout(() => (arrivals += 1), RETRY_MS + 50);
      },
    );
  }

  get value(): T | null {
    return arrivals >= 0 ? this.got : null;
  }

  get failed(): unknown {
    return arrivals >= 0 ? this.why : null;
  }

  get stale(): boolean {
    return this.failedAt !== null && Date.now() - this.failedAt > RETRY_MS;
  }
}

const kept = new Map<string, Kept<unknown>>();

function once<T>(address: string): Kept<T> {
  let entry = kept.get(address) as Kept<T> | undefined;
  if (!entry || entry.stale) {
    entry = new Kept<T>(address, entry?.failed);
    kept.set(address, entry);
  }
  return entry;
}

/** `id` is game/edition, as a view names it. Read `.value` in a component: it fills when the edition has arrived. */
export const editionOf = (id: string): Kept<Edition> => once<Edition>(`/api/rules/${id}`);
export const editions = (): Kept<Listed[]> => once<Listed[]>("/api/rules");
/** What changed from one edition of a game to another. */
export const differenceOf = <T>(game: string, from: string, to: string): Kept<T> => once<T>(`/api/rules/${game}/diff?from=${from}&to=${to}`);
export const oddsOf = (id: string, decks?: number): Kept<OddsSheet> => once<OddsSheet>(`/api/odds/${id}${decks ? `?decks=${decks}` : ""}`);

/** A paragraph or ruling in our words, or null where the edition has none of that number. */
export function gist(edition: Edition | null, paragraph: string): string | null {
  if (!edition) return null;
  return edition.paragraphs.find((rule) => rule.number === paragraph)?.gist ?? edition.rulings.find((ruling) => ruling.id === paragraph)?.gist ?? null;
}

/** Who decides a kind of irregularity and what may follow. */
export function irregularity(edition: Edition | null, kind: string): (IrregularityRule & { at: string }) | null {
  const all = edition?.irregularities;
  const rule = Array.isArray(all) ? all.find((entry) => entry.id === kind) : all?.[kind];
  return rule ? { ...rule, at: rule.paragraph ?? rule.cite ?? "" } : null;
}
