// One visitor at one table: the live view, the chips in hand, the box looked at, and what may be done.

import { get, type Problem } from "../lib/api";
import { Live, UNKNOWN, type Known } from "../lib/live";
import { amount, cents, type Cents } from "../lib/money";
import { editionOf, type Edition } from "../lib/reference.svelte";
import { session } from "../lib/session.svelte";
import type { Command, Line, PastRound, Stored, View } from "../lib/shapes";
import { tray } from "../chips/values";
import type { RoadsAnswer } from "../roads/boards";
import { felt, limitsOf, type Felt } from "./felt";
import { notice, type Notice } from "./notices";
import { sentence } from "./sentence";
import { accepted, repeated, total, type Stakes } from "./slip";
import { Slip } from "./Slip.svelte";
import { netOf, Visit } from "./visit.svelte";

/** Phases in which a round's lines are final enough to show. */
const SHOWN_AFTER = new Set(["settled", "ready", "no-shoe", "commencing", "closed", "complete"]);

/** Phases in which no wager waits for its round. */
const BETWEEN = new Set(["settled", "ready", "no-shoe", "commencing", "closed"]);
/** How the house calls one who is not at the table. */
const GONE = "unknown-patron";

/** An event that gives or takes chips beside the lines of the round. */
const corrects = ({ event }: Pick<Stored, "event">): boolean => Array.isArray(event.entries) && event.entries.length > 0;

export class Seat {
  known = $state.raw<Known>(UNKNOWN);
  roads = $state.raw<RoadsAnswer | null>(null);
  /** The box that the felt shows; null: my own, or the first. */
  picked = $state<number | null>(null);
  pickedChip = $state<Cents | null>(null);
  /** The last word of the house to something asked here that was no wager, or a wager that came too late. */
  problem = $state.raw<{ text: string; paragraph: string | null } | null>(null);
  last = $state.raw<Stakes>(new Map());
  squeezing = $state(false);
  /** A clock has run at this table. */
  timed = $state(false);
  /** What happened beside the play; it stays until the next betting opens. */
  notice = $state.raw<Notice | null>(null);
  readonly live: Live;
  readonly slip: Slip;
  /** Since when this person plays here, and what it came to; nothing for a watcher. */
  visit = $state.raw<Visit | null>(null);
  /** Cards that lay there when this page first saw them; they don't slide in. */
  readonly still = new Set<string>();
  private refusal: string | null = null;
  private results = "";
  private round: number | null = null;
  private asked: number | null = null;
  private counted = "";

  constructor(readonly table: string) {
    this.slip = new Slip((commands) => this.live.send(commands), (problem) => this.says(problem), (problem) => this.show(problem));
    this.live = new Live(table, (known) => this.take(known));
  }

  close(): void {
    this.live.close();
    this.visit?.close();
  }

  view = $derived<View | null>(this.known.view);
  edition = $derived<Edition | null>(this.view ? editionOf(this.view.edition).value : null);
  felt = $derived<Felt | null>(this.view && this.edition ? felt(this.edition, this.view.bets) : null);
  /** At the table with chips, a seat or a wager; who has left all of it may come back. */
  here = $derived(
    this.view?.patron != null && (this.view.seat != null || cents(this.view.balance ?? "0") > 0 || (this.view.wagers ?? []).length > 0),
  );
  /** He has wagers in a round that is not over. */
  waits = $derived(this.view !== null && !BETWEEN.has(this.view.phase) && (this.view.wagers ?? []).length > 0);
  mySeat = $derived(this.view?.seat ?? null);
  box = $derived(this.picked ?? this.mySeat ?? 1);
  betting = $derived(this.view?.phase === "betting" && this.known.link === "open");
  lines = $derived<Line[]>(this.view && SHOWN_AFTER.has(this.view.phase) ? (this.view.lines ?? []) : []);
  /** What the round came to, as far as its lines are shown. */
  net = $derived<Cents>((this.view?.phase === "settled" ? this.visit?.of(this.view.round ?? 0) : undefined) ?? netOf(this.lines));
  /** Chips in hand, less what is on its way to the layout. */
  balance = $derived.by<Cents | null>(() => {
    if (this.view?.balance == null) return null;
    return cents(this.view.balance) - Math.max(total(this.slip.wish) - total(this.slip.laid), 0);
  });
  tray = $derived<Cents[]>(this.trayOf());
  /** Before one is chosen: the smallest that a main bet takes. */
  private usual = $derived<Cents>(this.tray.find((one) => one >= cents(this.view?.limits.minimum ?? "0")) ?? this.tray[0] ?? 100);
  chip = $derived<Cents>(this.pickedChip !== null && this.tray.includes(this.pickedChip) ? this.pickedChip : this.usual);
  repeatable = $derived<Stakes>(
    this.view ? repeated(this.last, this.view.bets, this.view.boxes.filter((one) => one.occupied).map((one) => one.box)) : new Map(),
  );
  mayBet = $derived(this.betting && this.here);

  /** Ask something of the table that is no wager; a refusal is shown. */
  async ask(commands: Command | Command[]): Promise<boolean> {
    this.problem = null;
    this.refusal = null;
    try {
      await this.live.send(commands);
      return true;
    } catch (error) {
      const problem = error as Problem;
      this.refusal = problem.code;
      this.show(problem);
      return false;
    }
  }

  /** Come to the table with chips and sit down; whoever is here already only sits. */
  async sitDown(box: number | null, chips: Cents): Promise<void> {
    const sit: Command[] = box === null ? [] : [{ do: "sit", box }];
    try {
      await this.live.send([{ do: "join", ...(chips > 0 ? { chips: amount(chips) } : {}) }, ...sit]);
    } catch (error) {
      const problem = error as Problem;
      if (problem.code !== "already-here") {
        this.show(problem);
        return;
      }
      const buy: Command[] = chips > 0 ? [{ do: "buy-chips", chips: amount(chips) }] : [];
      if (buy.length + sit.length) await this.ask([...buy, ...sit]);
    }
    this.picked = null;
    session.look();
  }

  /** Chips go back to the wallet; wagers that lie stay and are settled. Whether the house let him go. */
  async leave(): Promise<boolean> {
    const chips = this.view?.balance ? cents(this.view.balance) : 0;
    const cash: Command[] = chips > 0 ? [{ do: "cash-chips", chips: amount(chips) }] : [];
    let left = await this.ask([...cash, { do: "leave" }]);
    // Who left before his wagers were settled is gone already; only what they paid is still here.
    if (this.refusal === GONE) left = cash.length === 0 || (await this.ask(cash));
    if (left) this.problem = null;
    await session.refresh().catch(() => undefined);
    return left;
  }

  freeBox(): number | null {
    return this.view?.boxes.find((one) => !one.occupied)?.box ?? null;
  }

  private show(problem: Problem): void {
    this.problem = { text: this.says(problem), paragraph: problem.paragraph };
  }

  private says(problem: Problem): string {
    return sentence(problem, this.edition);
  }

  private take(known: Known): void {
    const first = this.known.view === null;
    this.known = known;
    if (known.why === "signed-out") session.look();
    if (known.clock) this.timed = true;
    const view = known.view;
    if (!view) return;
    if (first) for (const place of Object.keys(view.cards)) this.still.add(`${view.round}.${place}`);
    const laid = accepted(view.wagers ?? []);
    if (view.round !== this.round) {
      if (this.slip.laid.size) this.last = this.slip.laid;
      this.round = view.round;
    }
    this.slip.follow(known.version, view.round, laid);
    if (view.patron) this.visit ??= new Visit(this.table, view.patron);
    this.visit?.see();
    this.count(view, first);
    if (first || known.fresh.some(corrects)) void this.recount(known.fresh);
    if (view.results !== this.results || first) {
      this.results = view.results;
      void this.look();
    }
    this.maybeAskSqueeze(view);
    if (known.fresh.some((one) => one.event.event === "betting-opened")) this.notice = null;
    this.notice = notice(known.fresh, view.patron ?? null) ?? this.notice;
    if (view.phase !== "betting") this.slip.forgive();
  }

  /** The lines of a round that has just been settled. Who comes later has counted them, and the house knows more. */
  private count(view: View, first: boolean): void {
    const lines = JSON.stringify([view.round, view.lines]);
    if (view.round === null || view.phase !== "settled" || lines === this.counted) return;
    this.counted = lines;
    if (!first || this.visit?.of(view.round) === undefined) this.visit?.count(view.round, view.lines ?? []);
  }

  /** What corrections and payments made of the rounds of this visit: the newest, and those that an event names. */
  private async recount(fresh: Stored[]): Promise<void> {
    const visit = this.visit;
    if (!visit) return;
    const named = fresh.flatMap(({ event }) => (corrects({ event }) && typeof event.round === "number" ? [event.round] : []));
    const asked = named.map((round) => get<PastRound>(`/api/tables/${encodeURIComponent(this.table)}/rounds/${round}`));
    const newest = get<{ rounds: PastRound[] }>("/api/me/rounds").then((page) => page.rounds);
    for (const one of await Promise.all([newest, ...asked]).then((found) => found.flat(), () => [])) {
      if (one.table === this.table && one.net !== null && visit.of(one.round) !== undefined) visit.put(one.round, cents(one.net));
    }
  }

  private async look(): Promise<void> {
    try {
      this.roads = await get<RoadsAnswer>(`/api/tables/${encodeURIComponent(this.table)}/roads`);
    } catch {
      // The next result asks again; what is drawn stays.
    }
  }

  /** P7: the request comes before the card is drawn, so it is sent as soon as betting has closed. */
  private maybeAskSqueeze(view: View): void {
    if (!this.squeezing || view.phase !== "dealing" || view.facing !== "down" || this.asked === view.round) return;
    if (Object.keys(view.cards).length > 0) return;
    const main = (view.wagers ?? []).filter((one) => this.edition?.bets[one.bet]?.main);
    const most = main.sort((a, b) => cents(b.stake) - cents(a.stake))[0];
    if (!most) return;
    this.asked = view.round;
    const letter = most.bet[0]!.toUpperCase();
    this.live.send({ do: "ask-squeeze", places: [1, 2, 3].map((one) => letter + one) }).catch(() => undefined);
  }

  private trayOf(): Cents[] {
    const view = this.view;
    const edition = this.edition;
    if (!view || !edition) return [];
    const every = view.bets.flatMap((bet) => (edition.bets[bet] ? [limitsOf(view.limits, edition.bets[bet], bet)] : []));
    const least = Math.min(...every.map((one) => one.minimum));
    const most = Math.max(...every.map((one) => one.maximum ?? 0), cents(view.limits.maximum_differential));
    return tray(least, most);
  }
}
