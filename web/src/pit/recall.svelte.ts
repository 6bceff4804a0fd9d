import { eventsOf, type Desk } from "../dealer/desk.svelte";
import { get } from "../lib/api";
import type { Stored } from "../lib/shapes";
import { ofRound } from "./replay";

/** The events of any round: those at hand, or of an older one those that the house recalls. */
export class Recall {
  private found = $state.raw<{ round: number; events: Stored[] } | null>(null);
  private readonly kept = $derived.by(() => ofRound(this.desk.events, this.round()));
  private readonly whole = $derived(this.kept[0]?.event.event === "betting-opened");
  readonly waits = $derived.by(() => !this.whole && this.round() > 0 && this.found?.round !== this.round());
  readonly events = $derived.by(() => (this.whole ? this.kept : this.found?.round === this.round() ? this.found.events : []));

  /** Made while a component is; no round is 0. */
  constructor(
    private readonly desk: Desk,
    private readonly round: () => number,
  ) {
    $effect(() => {
      const round = this.round();
      if (!this.waits) return;
      get<{ events?: Stored[]; from?: number }>(`/api/tables/${encodeURIComponent(desk.id)}/rounds/${round}`)
        .then(async (found) => found.events ?? (await eventsOf(desk.id, (found.from ?? 1) - 1, 500)))
        .catch(() => [])
        .then((events) => (this.found = { round, events }));
    });
  }
}
