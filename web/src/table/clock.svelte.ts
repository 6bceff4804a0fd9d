// How much of a table's clock is left, by the house's time.

import type { Clock } from "../lib/shapes";

/** Milliseconds left of a clock; 0 when it has run out or there is none. */
export function left(clock: Clock | null, skew: number, now: number): number {
  return clock ? Math.max(Date.parse(clock.ends_at) - (now + skew), 0) : 0;
}

/** The current time, updated until `stop()` is called. */
export class Ticking {
  now = $state(Date.now());
  private timer = setInterval(() => (this.now = Date.now()), 200);

  stop(): void {
    clearInterval(this.timer);
  }
}

/** 75 s → 1:15; an hour and more with the hour in front. */
export function duration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  const [h, m, s] = [Math.trunc(seconds / 3600), Math.trunc(seconds / 60) % 60, seconds % 60];
  const two = (value: number): string => String(value).padStart(2, "0");
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}
