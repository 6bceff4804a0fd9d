// This visit to a table: when it began, and its net result. Kept in the browser for all its tabs, so that neither a
// reload nor a second tab hides a loss. A visit ends four hours after it was last seen.

import { cents, type Cents } from "../lib/money";
import type { Line } from "../lib/shapes";

interface Kept {
  since: number;
  seen: number;
  rounds: Record<string, Cents>;
  /** The net result of rounds that are no longer kept one by one. */
  earlier: Cents;
}

const NAMES = "punto.visit.";
export const ENDS_MS = 4 * 3_600_000;
export const MOST_ROUNDS = 300;
const SEEN_MS = 60_000;

export class Visit {
  private readonly key: string;
  private kept = $state.raw<Kept>({ since: 0, seen: 0, rounds: {}, earlier: 0 });

  constructor(table: string, patron: string) {
    this.key = `${NAMES}${patron}.${table}`;
    const now = Date.now();
    try {
      for (const key of Object.keys(localStorage)) if (key.startsWith(NAMES) && !read(key, now)) localStorage.removeItem(key);
    } catch {
      // A browser without storage has nothing to remove.
    }
    this.kept = read(this.key, now) ?? { since: now, seen: 0, rounds: {}, earlier: 0 };
    this.see();
    globalThis.addEventListener?.("storage", this.onStorage);
  }

  close(): void {
    globalThis.removeEventListener?.("storage", this.onStorage);
  }

  get since(): number {
    return this.kept.since;
  }

  get net(): Cents {
    return Object.values(this.kept.rounds).reduce((sum, net) => sum + net, this.kept.earlier);
  }

  /** Notes that the patron is still there. */
  see(): void {
    if (Date.now() - this.kept.seen > SEEN_MS) this.keep(this.newest());
  }

  /** The net result of a round of this visit; undefined if the visit does not have that round. */
  of(round: number): Cents | undefined {
    return this.kept.rounds[round];
  }

  /** Counts a round's lines as they now stand. A correction replaces what was counted before. */
  count(round: number, lines: Line[]): void {
    if (lines.length > 0 || this.newest().rounds[round] !== undefined) this.put(round, netOf(lines));
  }

  /** Sets the net result of a round. */
  put(round: number, net: Cents): void {
    const kept = this.newest();
    if (kept.rounds[round] === net) return;
    const rounds: Kept["rounds"] = { ...kept.rounds, [round]: net };
    let { earlier } = kept;
    // Numbers as keys are in ascending order, oldest first.
    for (const old of Object.keys(rounds).slice(0, -MOST_ROUNDS)) {
      earlier += rounds[old]!;
      delete rounds[old];
    }
    this.keep({ ...kept, rounds, earlier });
  }

  /** The stored visit, with what another tab has counted. */
  private newest(): Kept {
    return read(this.key, Date.now()) ?? this.kept;
  }

  private readonly onStorage = (event: StorageEvent): void => {
    if (event.key === this.key) this.kept = this.newest();
  };

  private keep(kept: Kept): void {
    this.kept = { ...kept, seen: Date.now() };
    try {
      localStorage.setItem(this.key, JSON.stringify(this.kept));
    } catch {
      // Without storage the count lasts until the page is reloaded.
    }
  }
}

/** A stored visit that has not ended, or null. */
function read(key: string, now: number): Kept | null {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? "null") as Kept | null;
    return kept && now - kept.seen < ENDS_MS ? kept : null;
  } catch {
    return null;
  }
}

export function netOf(lines: Line[]): Cents {
  return lines.reduce((sum, line) => sum + cents(line.handed_back) - cents(line.stake), 0);
}
