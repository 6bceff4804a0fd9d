// One person at one table: the live view, their chips, the box that is shown, and what they may do.

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

/** Whether an event moves chips outside the lines of the round. */
const corrects = ({ event }: Pick<Stored, "event">): boolean => Array.isArray(event.entries) && event.entries.length > 0;

export class Seat {
  known = $state.raw<Known>(UNKNOWN);
  roads = $state.raw<RoadsAnswer | null>(null);
  /** The box chosen for the felt; null: the person's own box, or the first. */
  picked = $state<number | null>(null);
  pickedChip = $state<Cents | null>(null);
  /** The last refusal of something that was no wager, or of a wager that came too late. */
  problem = $state.raw<{ text: string; paragraph: string | null } | null>(null);
  last = $state.raw<Stakes>(new Map());
  squeezing = $state(false);
  /** Whether a clock has run at this table. */
  timed = $state(false);
  /** The newest notice, such as chips returned. It stays until the next betting opens. */
  notice = $state.raw<Notice | null>(null);
  readonly ear = new Ear();
  /** Insurance that was chosen and is not confirmed yet. */
  unconfirmed: { offer: OnOffer; stake: string } | null = null;
  readonly live: Live;
  readonly slip: Slip;
  /** When this person began to play here, and their result; null for somebody who only watches. */
  visit = $state.raw<Visit | null>(null);
  /** Cards that were on the table when this page first saw it; they don't slide in. */
  readonly still = new Set<string>();
  private results = "";
  private round: number | null = null;
  private squeezeAskedIn: number | null = null;
  private counted = "";

  constructor(readonly table: string) {
    this.slip = new Slip((commands) => this.live.sendNow(commands), (problem) => this.says(problem), (problem) => this.show(problem));
    this.live = new Live(table, (known) => this.take(known));
  }

  can(command: string): Possible | undefined {
    return can(this.view, command);
  }

  /** Whether the house allows one of these commands now and can be reached. */
  may(...commands: string[]): boolean {
    return this.known.link === "open" && commands.some((command) => this.can(command));
  }

  close(): void {
    this.live.close();
    this.visit?.close();
  }

  view = $derived<View | null>(this.known.view);
  edition = $derived<Edition | null>(this.view ? editionOf(this.view.edition).value : null);
  felt = $derived<Felt | null>(this.view && this.edition ? felt(this.edition, this.view.bets) : null);
  /** Whether the patron is at the table, with chips, a seat or a wager. Without all of these they may come back. */
  here = $derived(
    this.view?.patron != null && (this.view.seat != null || cents(this.view.balance ?? "0") > 0 || (this.view.wagers ?? []).length > 0),
  );
  /** `walks`: the paragraph about walking away from wagers. `waits`: the patron has wagers in a round that is not over,
   * so leaving now is walking away. */
  walks = $derived(this.edition?.paragraphs.find((paragraph) => paragraph.topics.includes("walked-away"))?.number);
  waits = $derived(this.walks !== undefined && this.can("leave")?.paragraph === this.walks);
  mySeat = $derived(this.view?.seat ?? null);
  box = $derived(this.picked ?? this.mySeat ?? 1);
  /** Whether the felt is lit. It is for the eye only. */
  betting = $derived(this.view?.phase === "betting" && this.known.link === "open");
  lines = $derived<Line[]>(this.view?.lines ?? []);
  /** The net result of the round: as the visit has it, else from the lines that are shown. */
  net = $derived<Cents>((this.view?.phase === "settled" ? this.visit?.of(this.view.round ?? 0) : undefined) ?? netOf(this.lines));
  /** The patron's stakes that the house has accepted in a round that is not over. Ghost chips are not counted. */
  atStake = $derived.by<Cents>(() => {
    if (!this.view || this.view.phase === "settled") return 0;
    const lying = (this.view.wagers ?? []).map((wager) => cents(wager.in_play));
    return [...lying, ...(this.view.insurance ?? []).map((insurance) => cents(insurance.stake))].reduce((sum, stake) => sum + stake, 0);
  });
  /** Chips in hand, minus those sent to the layout and not accepted yet. */
  balance = $derived.by<Cents | null>(() => {
    if (this.view?.balance == null) return null;
    return cents(this.view.balance) - Math.max(total(this.slip.wish) - total(this.slip.laid), 0);
  });
  tray = $derived<Cents[]>(this.trayOf());
  /** The chip before one is chosen: the smallest that a main bet takes. */
  private usual = $derived<Cents>(this.tray.find((chip) => chip >= cents(this.view?.limits.minimum ?? "0")) ?? this.tray[0] ?? 100);
  chip = $derived<Cents>(this.pickedChip !== null && this.tray.includes(this.pickedChip) ? this.pickedChip : this.usual);
  repeatable = $derived<Stakes>(
    this.view ? repeated(this.last, this.view.bets, this.view.boxes.filter((box) => box.occupied).map((box) => box.box)) : new Map(),
  );
  mayBet = $derived(this.may("place-wager", "raise-wager"));

  /** Sends a request that is no wager. A refusal is shown. */
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

  /** Joins the table with chips and sits down in `box`. Whoever has joined already buys the chips instead. */
  async sitDown(box: number | null, chips: Cents): Promise<void> {
    const joins = this.can("join") !== undefined;
    const with_ = chips > 0 ? { chips: amount(chips) } : null;
    const come: Command[] = joins ? [{ do: "join", ...with_ }] : with_ ? [{ do: "buy-chips", ...with_ }] : [];
    const sit: Command[] = box === null ? [] : [{ do: "sit", box }];
    if (come.length + sit.length && !(await this.ask([...come, ...sit]))) return;
    this.picked = null;
    session.look();
  }

  /** Leaves the table: chips go back to the wallet; wagers on the layout stay and are settled. Returns whether the
   * house let the patron go. */
  async leave(): Promise<boolean> {
    const chips = this.can("cash-chips")?.amounts?.chips?.most;
    const cash: Command[] = chips ? [{ do: "cash-chips", chips }] : [];
    // Whoever left before their wagers were settled is gone already; only what these paid is still here.
    const go: Command[] = this.can("leave") ? [...cash, { do: "leave" }] : cash;
    const left = go.length === 0 || (await this.ask(go));
    if (left) this.problem = null;
    await session.refresh().catch(() => undefined);
    return left;
  }

  freeBox(): number | null {
    return this.view?.boxes.find((box) => !box.occupied)?.box ?? null;
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
      // A refusal is shown in its own round. Whoever was cut off meanwhile reads it in the next.
      if (unbroken) this.problem = null;
      this.round = view.round;
    }
    this.ear.hear(view);
    this.slip.follow(known.version, view.round, laid);
    if (view.patron) this.visit ??= new Visit(this.table, view.patron);
    this.visit?.see();
    this.count(view, first);
    if ((known.link === "open" && !unbroken) || known.fresh.some(corrects)) void this.recount(known.fresh);
    if (view.results !== this.results || first) {
      this.results = view.results;
      void this.look();
    }
    this.maybeAskSqueeze(view);
    if (known.fresh.some((stored) => stored.event.event === "betting-opened")) this.notice = null;
    this.notice = notice(known.fresh, view.patron ?? null) ?? this.notice;
    this.lapse(view);
    if (view.phase !== "betting") this.slip.forgive();
  }

  /** Insurance that was chosen and not confirmed has lapsed once its offer is over: a notice says so. */
  private lapse(view: View): void {
    const chosen = this.unconfirmed;
    if (!chosen || [view.on_offer, view.late_offer].some((offer) => offer?.after === chosen.offer.after)) return;
    this.unconfirmed = null;
    this.notice = { event: "insurance-lapsed", values: { stake: chosen.stake }, paragraph: chosen.offer.paragraph, kind: null };
  }

  /** Counts the lines of a round that has just been settled. A page that is opened later has counted them already, and
   * `recount` brings the house's figures. */
  private count(view: View, first: boolean): void {
    const lines = JSON.stringify([view.round, view.lines]);
    if (view.round === null || view.phase !== "settled" || lines === this.counted) return;
    this.counted = lines;
    if (!first || this.visit?.of(view.round) === undefined) this.visit?.count(view.round, view.lines ?? []);
  }

  /** Results of this visit's rounds as the house has them: the newest, also those that ended while nobody looked, and
   * those that a correction or a payment names. */
  private async recount(fresh: Stored[]): Promise<void> {
    const visit = this.visit;
    if (!visit) return;
    const named = fresh.flatMap(({ event }) => (corrects({ event }) && typeof event.round === "number" ? [event.round] : []));
    const requests = named.map((round) => get<PastRound>(`/api/tables/${encodeURIComponent(this.table)}/rounds/${round}`));
    const newest = get<{ rounds: PastRound[] }>("/api/me/rounds").then((page) => page.rounds);
    const began = visit.since + this.known.skew;
    for (const round of await Promise.all([newest, ...requests]).then((answers) => answers.flat(), () => [])) {
      const ours = visit.of(round.round) !== undefined || (round.ended_at !== null && Date.parse(round.ended_at) >= began);
      if (round.table === this.table && round.net !== null && ours) visit.put(round.round, cents(round.net));
    }
  }

  private async look(): Promise<void> {
    try {
      this.roads = await get<RoadsAnswer>(`/api/tables/${encodeURIComponent(this.table)}/roads`);
    } catch {
      // The next result asks again. What is drawn stays.
    }
  }

  /** P7: the request comes before the card is drawn, so it is sent as soon as betting has closed. */
  private maybeAskSqueeze(view: View): void {
    const possible = this.squeezing && this.squeezeAskedIn !== view.round ? can(view, "ask-squeeze") : undefined;
    const main = (view.wagers ?? []).filter((wager) => this.edition?.bets[wager.bet]?.main);
    const most = main.sort((a, b) => cents(b.stake) - cents(a.stake))[0];
    if (!possible || !most) return;
    this.squeezeAskedIn = view.round;
    const letter = most.bet[0]!.toUpperCase();
    const places = (possible.choices?.places ?? []).filter((place) => String(place).startsWith(letter));
    this.live.send({ do: "ask-squeeze", places }).catch(() => undefined);
  }

  private trayOf(): Cents[] {
    const view = this.view;
    const edition = this.edition;
    if (!view || !edition) return [];
    const every = view.bets.map((bet) => limitsOf(view.limits, bet));
    const most = Math.max(...every.map((limits) => limits.maximum ?? 0), cents(view.limits.maximum_differential));
    // A bet without a minimum takes less than the main bets, so the tray has a chip for it too.
    const least = Math.min(...every.map((limits) => limits.minimum || chipBelow(cents(view.limits.minimum))));
    return tray(least, most);
  }
}
