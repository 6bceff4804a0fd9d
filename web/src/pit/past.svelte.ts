import { untrack } from "svelte";
import { get } from "../lib/api";
import type { Frame, PastRound } from "../lib/shapes";

const QUIET_MS = 300;
const at = (table: string, round: number) => `/api/tables/${encodeURIComponent(table)}/rounds/${round}`;

/** Any round as it is now. */
export const pastRound = (table: string, round: number): Promise<PastRound> => get(at(table, round));

/** Any round, one frame after each of its events. */
export async function framesOf(table: string, round: number): Promise<Frame[]> {
  const frames: Frame[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page: { frames: Frame[]; next: number | null } = await get(`${at(table, round)}/frames?after=${after}&limit=200`);
    frames.push(...page.frames);
    after = page.next;
  }
  return frames;
}

/** What the house says of a round, never of another. It is asked again, after a pause, when `moved` changes. */
export class OfRound<T> {
  private got = $state.raw<{ round: number; value: T | null } | null>(null);
  readonly value = $derived.by(() => (this.got?.round === this.round() ? this.got.value : null));
  readonly waits = $derived.by(() => this.round() > 0 && this.got?.round !== this.round());

  /** Must be created together with a component. Round 0 means no round. */
  constructor(
    private readonly round: () => number,
    ask: (round: number) => Promise<T>,
    moved: () => unknown = () => null,
  ) {
    $effect(() => {
      const round = this.round();
      moved();
      if (!round) return;
      let stale = false;
      const keep = (value: T | null) => {
        if (!stale && (value !== null || this.got?.round !== round)) this.got = { round, value };
      };
      const timer = setTimeout(() => void ask(round).then(keep, () => keep(null)), this.known(round) ? QUIET_MS : 0);
      return () => {
        stale = true;
        clearTimeout(timer);
      };
    });
  }

  private known(round: number): boolean {
    return untrack(() => this.got?.round === round);
  }
}
