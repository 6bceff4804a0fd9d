// One visitor at one table: the live view, the chips in hand, the box looked at, and what may be done.

import { Ear } from "../calls/ear.svelte";
import { get, type Problem } from "../lib/api";
import { can } from "../lib/can";
import { Live, UNKNOWN, type Known } from "../lib/live";
import { amount, cents, type Cents } from "../lib/money";
import { editionOf, type Edition } from "../lib/reference.svelte";
import { session } from "../lib/session.svelte";
import type { Command, Line, OnOffer, PastRound, Possible, Stored, View } from "../lib/shapes";
import { chipBelow, tray } from "../chips/values";
import type { RoadsAnswer } from "../roads/boards";
import { felt, limitsOf, type Felt } from "./felt";
import { notice, type Notice } from "./notices";
import { sentence } from "./sentence";
import { accepted, repeated, total, type Stakes } from "./slip";
import { Slip } from "./Slip.svelte";
import { netOf, Visit } from "./visit.svelte";

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
  readonly ear = new Ear();
  /** Insurance that is chosen and not confirmed yet. */
  unconfirmed: { offer: OnOffer; stake: string } | null = null;
  readonly live: Live;
  readonly slip: Slip;
  /** Since when this person plays here, and what it came to; nothing for a watcher. */
  visit = $state.raw<Visit | null>(null);
  /** Cards that lay there when this page first saw them; they don't slide in. */
  readonly still = new Set<string>();
  private results = "";
  private round: number | null = null;
  private asked: number | null = null;
  private counted = "";

  constructor(readonly table: string) {
    this.slip = new Slip((commands) => this.live.sendNow(commands), (problem) => this.says(problem), (problem) => this.show(problem));
    this.live = new Live(table, (known) => this.take(known));
  }

  can(command: string): Possible | undefined {
    return can(this.view, command);
  }

  /** Whether the house would hear one of these now. */
  may(...commands: string[]): boolean {
    return this.known.link === "open" && commands.some((one) => this.can(one));
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
  /** They have wagers in a round that is not over: who leaves now walks away from them. */
  walks = $derived(this.edition?.paragraphs.find((one) => one.topics.includes("walked-away"))?.number);
  waits = $derived(this.walks !== undefined && this.can("leave")?.paragraph === this.walks);
  mySeat = $derived(this.view?.seat ?? null);
  box = $derived(this.picked ?? this.mySeat ?? 1);
  /** For the eye: the felt is lit. */
  betting = $derived(this.view?.phase === "betting" && this.known.link === "open");
  lines = $derived<Line[]>(this.view?.lines ?? []);
  /** What the round came to, as far as its lines are shown. */
  net = $derived<Cents>((this.view?.phase === "settled" ? this.visit?.of(this.view.round ?? 0) : undefined) ?? netOf(this.lines));
  /** What the house has of this patron's in a round that is not over: ghosts are not in it. */
  atStake = $derived.by<Cents>(() => {
    if (!this.view || this.view.phase === "settled") return 0;
    const lying = (this.view.wagers ?? []).map((one) => cents(one.in_play));
    return [...lying, ...(this.view.insurance ?? []).map((one) => cents(one.stake))].reduce((sum, one) => sum + one, 0);
  });
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
  mayBet = $derived(this.may("place-wager", "raise-wager"));

  /** Ask something of the table that is no wager; a refusal is shown. */
  async ask(commands: Command | Command[]): Promise<boolean> {
    this.problem = null;
    try {
      await this.live.sendNow(commands);
      return true;
    } catch (error) {
      const problem = error as Problem;
      this.show(problem);
      return false;
    }
  }

  /** Come to the table with chips and sit down; whoever is here already only sits. */
  async sitDown(box: number | null, chips: Cents): Promise<void> {
    const joins = this.can("join") !== undefined;
    const with_ = chips > 0 ? { chips: amount(chips) } : null;
    const come: Command[] = joins ? [{ do: "join", ...with_ }] : with_ ? [{ do: "buy-chips", ...with_ }] : [];
    const sit: Command[] = box === null ? [] : [{ do: "sit", box }];
    if (come.length + sit.length && !(await this.ask([...come, ...sit]))) return;
    this.picked = null;
    session.look();
  }

  /** Chips go back to the wallet; wagers that lie stay and are settled. Whether the house let him go. */
  async leave(): Promise<boolean> {
    const chips = this.can("cash-chips")?.amounts?.chips?.most;
    const cash: Command[] = chips ? [{ do: "cash-chips", chips }] : [];
    // Who left before their wagers were settled is gone already; only what these paid is still here.
    const go: Command[] = this.can("leave") ? [...cash, { do: "leave" }] : cash;
    const left = go.length === 0 || (await this.ask(go));
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
    const unbroken = this.known.link === "open";
    this.known = known;
    if (known.why === "signed-out") session.look();
    if (known.clock) this.timed = true;
    const view = known.view;
    if (!view) return;
    if (first) for (const place of Object.keys(view.cards)) this.still.add(`${view.round}.${place}`);
    const laid = accepted(view.wagers ?? []);
    if (view.round !== this.round) {
      if (this.slip.laid.size) this.last = this.slip.laid;
      // What was refused in a round is said in that round; who was cut off meanwhile reads it in the next.
      if (unbroken) this.problem = null;
      this.round = view.round;
    }
    this.ear.hear(view);
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
    this.lapse(view);
    if (view.phase !== "betting") this.slip.forgive();
  }

  /** Insurance that was chosen and not confirmed, and whose offer is over, has lapsed: that is said. */
  private lapse(view: View): void {
    const one = this.unconfirmed;
    if (!one || [view.on_offer, view.late_offer].some((offer) => offer?.after === one.offer.after)) return;
    this.unconfirmed = null;
    this.notice = { event: "insurance-lapsed", values: { stake: one.stake }, paragraph: one.offer.paragraph, kind: null };
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
    const asked = this.squeezing && this.asked !== view.round ? can(view, "ask-squeeze") : undefined;
    const main = (view.wagers ?? []).filter((one) => this.edition?.bets[one.bet]?.main);
    const most = main.sort((a, b) => cents(b.stake) - cents(a.stake))[0];
    if (!asked || !most) return;
    this.asked = view.round;
    const letter = most.bet[0]!.toUpperCase();
    const places = (asked.choices?.places ?? []).filter((one) => String(one).startsWith(letter));
    this.live.send({ do: "ask-squeeze", places }).catch(() => undefined);
  }

  private trayOf(): Cents[] {
    const view = this.view;
    const edition = this.edition;
    if (!view || !edition) return [];
    const every = view.bets.map((bet) => limitsOf(view.limits, bet));
    const most = Math.max(...every.map((one) => one.maximum ?? 0), cents(view.limits.maximum_differential));
    // A bet without a minimum takes less than the main bets: there is a chip for it too.
    const least = Math.min(...every.map((one) => one.minimum || chipBelow(cents(view.limits.minimum))));
    return tray(least, most);
  }
}
