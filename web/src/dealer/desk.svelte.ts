// A console's connection to a table: its view, the events of the round, and commands with their refusals.

import { get, Problem } from "../lib/api";
import { KEPT, Live, UNKNOWN, type Known } from "../lib/live";
import { session } from "../lib/session.svelte";
import type { Answer, Command, Report, Stored } from "../lib/shapes";
import { current } from "../pit/groups";
import { called } from "./call";

export class Desk {
  known = $state.raw<Known>(UNKNOWN);
  /** Events from before this page was opened. */
  private before = $state.raw<Stored[]>([]);
  /** Those events have arrived or can't be fetched. Anything drawn earlier would be pushed aside when they arrive. */
  recalled = $state(false);
  refusal = $state.raw<Problem | null>(null);
  busy = $state(false);
  readonly live: Live;

  readonly events = $derived.by(() => {
    const first = this.known.events[0]?.version ?? Infinity;
    return [...this.before.filter((stored) => stored.version < first), ...this.known.events];
  });
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
      this.known = known;
      if (known.why === "signed-out") session.look();
      if (anew)
        void eventsOf(id, Math.max(0, known.version - KEPT), KEPT)
          .then((recent) => (this.before = recent), () => undefined)
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

  close(): void {
    this.live.close();
  }
}

/** Events of a table after a version, oldest first. */
export async function eventsOf(id: string, after: number, limit: number): Promise<Stored[]> {
  const answer = await get<Stored[] | { events: Stored[] }>(`/api/tables/${encodeURIComponent(id)}/events?after=${after}&limit=${limit}`);
  return Array.isArray(answer) ? answer : answer.events;
}
