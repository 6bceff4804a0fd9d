// This visit to a table: since when, and what it came to. Kept for the tab, so that a reload does not hide a loss.

import { cents, type Cents } from "../lib/money";
import type { Line } from "../lib/shapes";

interface Kept {
  since: number;
  rounds: Record<string, Cents>;
}

export class Visit {
  private kept = $state.raw<Kept>({ since: 0, rounds: {} });

  constructor(private readonly key: string) {
    try {
      const text = sessionStorage.getItem(key);
      if (text) this.kept = JSON.parse(text) as Kept;
    } catch {
      // Nothing kept: the visit begins now.
    }
    if (!this.kept.since) this.keep({ since: Date.now(), rounds: {} });
  }

  get since(): number {
    return this.kept.since;
  }

  get net(): Cents {
    return Object.values(this.kept.rounds).reduce((sum, one) => sum + one, 0);
  }

  /** A round's lines as they now stand: a correction replaces what was counted before. */
  count(round: number, lines: Line[]): void {
    const net = netOf(lines);
    if (this.kept.rounds[round] === net || (lines.length === 0 && this.kept.rounds[round] === undefined)) return;
    this.keep({ ...this.kept, rounds: { ...this.kept.rounds, [round]: net } });
  }

  private keep(kept: Kept): void {
    this.kept = kept;
    try {
      sessionStorage.setItem(this.key, JSON.stringify(kept));
    } catch {
      // A browser that keeps nothing counts until it is reloaded.
    }
  }
}

export function netOf(lines: Line[]): Cents {
  return lines.reduce((sum, one) => sum + cents(one.handed_back) - cents(one.stake), 0);
}
