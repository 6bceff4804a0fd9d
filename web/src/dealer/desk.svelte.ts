// A console's connection to a table: its view, the events of the round, and commands with their refusals.

import { get, Problem } from "../lib/api";
import { KEPT, Live, UNKNOWN, type Known } from "../lib/live";
import { session } from "../lib/session.svelte";
import type { Answer, Command, Report, Stored } from "../lib/shapes";
import { current } from "../pit/groups";
import { called } from "./call";

export class Desk {
  known = $state.raw<Known>(UNKNOWN);
  /** The events that lead up to those of the connection: fetched ones, then those that it no longer keeps. */
  private before = $state.raw<Stored[]>([]);
  /** How many of them are kept: more once older ones were asked for. */
  private most = KEPT;
  /** The events before the first view have arrived or can't be fetched. Anything drawn earlier would be pushed aside
   * when they arrive. */
  recalled = $state(false);
  refusal = $state.raw<Problem | null>(null);
  busy = $state(false);
  readonly live: Live;

  /** The latest events, oldest first. None is missing between the first and the last. */
  readonly events = $derived([...this.before, ...this.known.events]);
  /** The version of the first of them, or of the next one if there are none. */
  readonly first = $derived(this.events[0]?.version ?? this.known.version + 1);
  readonly round = $derived(current(this.events));
  readonly said = $derived(this.round.map((stored) => called(stored.event)).filter(Boolean));
  private readonly reported = $derived(this.events.findLast((stored) => stored.event.event === "irregularity-reported")?.event);
  private readonly open = $derived(this.known.view?.irregularity ? this.reported : undefined);
  /** The report that waits for a ruling. It stays the same object until the ruling. */
  readonly report = $derived(this.open ? ({ ...(this.open.irregularity as object), by: this.open.by, note: this.open.note ?? "" } as Report) : null);
  /** The box of every wager of the round, including wagers returned before the result. */
  readonly boxes = $derived(
    Object.fromEntries(this.round.filter((stored) => "wager" in stored.event && "box" in stored.event).map((stored) => [stored.event.wager as string, stored.event.box as number])),
  );
  readonly view = $derived(this.known.view);

  constructor(readonly id: string) {
    this.live = new Live(id, (known) => {
      // A snapshot has no events: those before it are fetched.
      const anew = known.view !== null && known.events.length === 0 && known.events !== this.known.events;
      if (anew || known.events[0] !== this.known.events[0]) this.keep(known);
      this.known = known;
      if (known.why === "signed-out") session.look();
      if (anew)
        void eventsOf(id, Math.max(0, known.version - KEPT), KEPT)
          .then((recent) => this.prepend(recent), () => undefined)
          .finally(() => (this.recalled = true));
    });
  }

  /** Sends commands. A refusal stays visible until the next ones. Returns the answer, or null if they were refused or
   * others are still unanswered. */
  async send(commands: Command | Command[]): Promise<Answer | null> {
    if (this.busy) return null;
    this.busy = true;
    try {
      const answer = await this.live.send(commands);
      this.refusal = null;
      return answer;
    } catch (error) {
      this.refusal = error instanceof Problem ? error : new Problem(0, "unknown", String(error), null);
      return null;
    } finally {
      this.busy = false;
    }
  }

  /** Fetches the events before the first, if there are any. Raises Problem. */
  async recallOlder(): Promise<void> {
    if (this.first <= 1) return;
    const after = Math.max(0, this.first - 1 - KEPT);
    // Before they arrive: until then the first must stay.
    this.most += KEPT;
    try {
      this.prepend(await eventsOf(this.id, after, this.first - 1 - after));
    } catch (error) {
      this.most -= KEPT;
      throw error;
    }
  }

  /** Keeps what the connection is about to drop, if it leads up to what the connection knows then. */
  private keep(next: Known): void {
    const first = next.events[0]?.version ?? next.version + 1;
    this.before = leadingTo(first, [...this.events, ...next.fresh]).slice(-this.most);
  }

  /** Puts events before the first, if they lead up to it. */
  private prepend(older: Stored[]): void {
    this.before = [...leadingTo(this.first, older), ...this.before].slice(-this.most);
  }

  close(): void {
    this.live.close();
  }
}

/** The events before a version; none if the last of them is missing. */
function leadingTo(version: number, events: Stored[]): Stored[] {
  const earlier = events.filter((stored) => stored.version < version);
  return earlier.at(-1)?.version === version - 1 ? earlier : [];
}

/** Events of a table after a version, oldest first. */
async function eventsOf(id: string, after: number, limit: number): Promise<Stored[]> {
  const answer = await get<Stored[] | { events: Stored[] }>(`/api/tables/${encodeURIComponent(id)}/events?after=${after}&limit=${limit}`);
  return Array.isArray(answer) ? answer : answer.events;
}
