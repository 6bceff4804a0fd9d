// What the house sends, as it stands on the wire: amounts are decimal strings, odds exact fractions.

export type Amount = string;
export type Odds = string;
export type Phase =
  | "closed"
  | "no-shoe"
  | "commencing"
  | "ready"
  | "betting"
  | "cut-card"
  | "dealing"
  | "offer"
  | "complete"
  | "settled"
  | "irregularity"
  | "options";

export interface BetLimits {
  minimum?: Amount | null;
  maximum?: Amount | null;
}

export interface Limits extends BetLimits {
  minimum: Amount;
  maximum_differential: Amount;
  bets: Record<string, BetLimits>;
  scope: string;
}

export interface Box {
  box: number;
  occupied: boolean;
  stakes: Record<string, Amount>;
  differential: Amount;
}

export interface OnOffer {
  bet: string;
  after: string;
  odds: Odds;
  player_points: number;
  banker_points: number;
  paragraph: string;
}

export interface Wager {
  wager: string;
  patron: string;
  box: number;
  bet: string;
  stake: Amount;
  in_play: Amount;
  seated: boolean;
}

export interface Insured {
  insurance: string;
  patron: string;
  bet: string;
  after: string;
  stake: Amount;
}

export interface Line {
  wager: string;
  patron: string;
  bet: string;
  result: string;
  paragraph: string;
  odds: Odds | null;
  stake: Amount;
  winnings: Amount;
  handed_back: Amount;
}

/** A table as one audience sees it; what this one may not see is left out. */
export interface View {
  table: string;
  edition: string;
  layout: string;
  bets: string[];
  phase: Phase;
  currency: string;
  limits: Limits;
  notice: string | null;
  device: string;
  facing: string;
  differential: Amount;
  shoe: number | null;
  hand: number | null;
  round: number | null;
  last_round: boolean;
  cards: Record<string, string | null>;
  boxes: Box[];
  on_offer: OnOffer | null;
  winner: string | null;
  results: string;
  late_offer?: OnOffer | null;
  irregularity?: string | null;
  patron?: string | null;
  seat?: number | null;
  balance?: Amount | null;
  wagers?: Wager[];
  insurance?: Insured[];
  may_insure?: Record<string, Amount>;
  may_insure_late?: Record<string, Amount>;
  may_squeeze?: string[];
  option?: string | null;
  owed?: Amount | null;
  lines?: Line[];
  next_place?: string | null;
  /** Cards that are dealt before any from the shoe; null lies face down. */
  waiting?: (string | null)[];
  squeezing?: Record<string, string>;
  squeeze?: { patron: string; places: string[]; granted: boolean } | null;
  banker_first?: { patron: string; way: string; granted: boolean } | null;
  /** Each patron's option; "" while it is not chosen. */
  choices?: Record<string, string>;
  patrons?: Record<string, Amount>;
  owed_by?: Record<string, Amount>;
  staff?: Record<string, string>;
  house?: Amount | null;
}

export interface Clock {
  for: "betting" | "insurance" | "result" | "options";
  ends_at: string;
  seconds: number;
}

/** An event; which further fields it has depends on its name. */
export interface TableEvent {
  event: string;
  paragraph?: string;
  [field: string]: unknown;
}

export interface Stored {
  version: number;
  at: string;
  event: TableEvent;
}

/** What was reported, as the event holds it, with who did so. */
export interface Report {
  kind: string;
  paragraph: string;
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

/** A round that is over, as it stands now. */
export interface PastRound {
  table: string;
  round: number;
  edition: string;
  at: string;
  winner: string | null;
  player_points: number | null;
  banker_points: number | null;
  cards: Record<string, string | null>;
  lines: Line[];
  paid: { patron: string; paid?: Amount; cleared?: Amount }[];
  corrected: boolean;
  /** What it came to for whoever asks, corrections and payments included. */
  net: Amount | null;
  wagers: Omit<Wager, "seated">[];
  insurance: Insured[];
}

/** A round after one of its events, with the points that lay open then. */
export interface Frame extends PastRound {
  phase: Phase;
  state: "open" | "settled" | "void" | "concluded";
  next_place: string | null;
  waiting: (string | null)[];
  open_offers: { bet: string; odds: Odds }[];
  irregularity: { kind: string } | null;
  choices: Record<string, string>;
  says: string[];
  events: [Stored];
}

export interface Command {
  do: string;
  [field: string]: unknown;
}

export interface Answer {
  table: string;
  version: number;
  events: TableEvent[];
}

export interface Me {
  name: string;
  role: string;
  guest: boolean;
  wallet: Amount;
  csrf: string;
  /** Somebody else gave the password: nothing but setting one's own is open. */
  password_to_be_set: boolean;
}
