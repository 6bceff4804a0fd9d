// A table as it happens. `reduce` adds a frame to what is known and is pure; `Live` keeps the socket up: it resumes from the
// version it has, waits longer after each failure, and sends unanswered commands again under their old keys.

import { csrf, newKey, problem, type Problem } from "./api";
import { inRound } from "./round";
import type { Answer, Clock, Command, Stored, View } from "./shapes";

export type Link = "connecting" | "open" | "lost" | "ended";

export interface Known {
  version: number;
  /** The public view with what only this person may see laid over it. */
  view: View | null;
  clock: Clock | null;
  /** The latest events, oldest first; at most KEPT. */
  events: Stored[];
  /** What the last frame brought. */
  fresh: Stored[];
  /** The house's clock minus this machine's, in milliseconds. */
  skew: number;
  link: Link;
  /** Why the link ended, when it did: "signed-out", "not-allowed" or "no-table". */
  why: string | null;
}

export const KEPT = 500;
export const UNKNOWN: Known = { version: 0, view: null, clock: null, events: [], fresh: [], skew: 0, link: "connecting", why: null };

interface Snapshot {
  frame: "snapshot";
  version: number;
  now?: string;
  view: View;
  mine?: Partial<View> | null;
  clock?: Clock | null;
}
interface EventsFrame {
  frame: "events";
  from: number;
  to: number;
  now?: string;
  events: Stored[];
  view?: View;
  mine?: Partial<View> | null;
  clock?: Clock | null;
}
interface AnswerFrame {
  frame: "answer";
  key: string;
  answer?: Answer;
  problem?: Record<string, unknown>;
}
export type Frame = Snapshot | EventsFrame | AnswerFrame | { frame: "ping"; now?: string };

/** What is known after a frame. Frames about a version that is already known change nothing. */
export function reduce(known: Known, frame: Frame, now: number): Known {
  if (frame.frame === "snapshot") {
    return {
      ...known,
      version: frame.version,
      view: { ...frame.view, ...(frame.mine ?? {}) },
      clock: frame.clock ?? null,
      fresh: [],
      skew: skewOf(frame.now, now, known.skew),
    };
  }
  if (frame.frame === "ping" && frame.now) return { ...known, fresh: [], skew: skewOf(frame.now, now, known.skew) };
  if (frame.frame === "events") {
    if (frame.to < known.version) return known;
    const fresh = frame.events.filter((one) => one.version > known.version);
    return {
      ...known,
      version: frame.to,
      view: frame.view ? { ...frame.view, ...(frame.mine ?? {}) } : known.view,
      clock: frame.clock === undefined ? known.clock : frame.clock,
      events: [...known.events, ...fresh].slice(-KEPT),
      fresh,
      skew: skewOf(frame.now, now, known.skew),
    };
  }
  return known;
}

function skewOf(told: string | undefined, now: number, before: number): number {
  const house = told ? Date.parse(told) : NaN;
  return Number.isNaN(house) ? before : house - now;
}

/** How long to wait before attempt n (from 0): doubling from 250 ms to 8 s, with up to a quarter taken off at random. */
export function wait(attempt: number, chance = Math.random()): number {
  const full = Math.min(250 * 2 ** Math.min(attempt, 10), 8_000);
  return Math.round(full * (1 - chance / 4));
}

const ENDINGS: Record<number, string> = { 4401: "signed-out", 4403: "not-allowed", 4404: "no-table" };
/** A socket that has been silent this long is taken for dead; the house pings more often than that. */
export const SILENCE_MS = 60_000;

interface Waiting {
  key: string;
  commands: Command[];
  done: (answer: Answer) => void;
  failed: (problem: Problem) => void;
}

export class Live {
  known: Known = UNKNOWN;
  private socket: WebSocket | null = null;
  private attempt = 0;
  private retry: ReturnType<typeof setTimeout> | null = null;
  private silence: ReturnType<typeof setTimeout> | null = null;
  private waiting = new Map<string, Waiting>();
  private closed = false;

  constructor(
    private readonly table: string,
    private readonly tell: (known: Known) => void,
    private readonly open: (address: string) => WebSocket = (address) => new WebSocket(address),
    private readonly origin: string = typeof location === "undefined" ? "" : location.origin,
  ) {
    if (typeof window !== "undefined") {
      window.addEventListener("online", this.hurry);
      document.addEventListener("visibilitychange", this.hurry);
    }
    this.connect();
  }

  /** Send commands, all or nothing, under one key, in the round that is seen now. The promise answers once the house has, across
   * reconnects. */
  send(commands: Command | Command[], key: string = newKey()): Promise<Answer> {
    const list = (Array.isArray(commands) ? commands : [commands]).map((one) => inRound(one, this.known.view));
    return new Promise((done, failed) => {
      const one: Waiting = { key, commands: list, done, failed };
      this.waiting.set(key, one);
      this.write(one);
    });
  }

  close(): void {
    this.closed = true;
    if (typeof window !== "undefined") {
      window.removeEventListener("online", this.hurry);
      document.removeEventListener("visibilitychange", this.hurry);
    }
    this.stopTimers();
    this.socket?.close(1000);
    this.socket = null;
    this.giveUp("closed");
  }

  private connect(): void {
    const after = this.known.view ? `?after=${this.known.version}` : "";
    const address = `${this.origin.replace(/^http/, "ws")}/api/tables/${encodeURIComponent(this.table)}/live${after}`;
    const socket = this.open(address);
    this.socket = socket;
    socket.onopen = () => {
      if (this.socket !== socket) return;
      this.attempt = 0;
      this.set({ ...this.known, link: "open", why: null, fresh: [] });
      this.listen();
      for (const one of this.waiting.values()) this.write(one);
    };
    socket.onmessage = (message: MessageEvent<string>) => {
      if (this.socket !== socket) return;
      this.listen();
      this.take(JSON.parse(message.data) as Frame);
    };
    socket.onclose = (event) => {
      if (this.socket !== socket) return;
      this.socket = null;
      this.lost(event.code);
    };
  }

  private take(frame: Frame): void {
    if (frame.frame === "answer") {
      const one = this.waiting.get(frame.key);
      this.waiting.delete(frame.key);
      if (frame.answer) one?.done(frame.answer);
      else one?.failed(problem(frame.problem ?? {}));
      return;
    }
    const next = reduce(this.known, frame, Date.now());
    if (next !== this.known) this.set(next);
  }

  private lost(code: number): void {
    this.stopTimers();
    if (this.closed) return;
    const why = ENDINGS[code];
    if (why) {
      this.set({ ...this.known, link: "ended", why, fresh: [] });
      this.giveUp(why);
      return;
    }
    // Its clock may be another when the house is back; until then none runs.
    this.set({ ...this.known, link: "lost", clock: null, fresh: [] });
    this.retry = setTimeout(() => {
      this.retry = null;
      this.connect();
    }, wait(this.attempt++));
  }

  private giveUp(why: string): void {
    for (const one of this.waiting.values()) one.failed(problem({ code: why }));
    this.waiting.clear();
  }

  private listen(): void {
    if (this.silence) clearTimeout(this.silence);
    this.silence = setTimeout(() => {
      const dead = this.socket;
      this.socket = null;
      dead?.close();
      this.lost(0);
    }, SILENCE_MS);
  }

  /** Back online, or in sight again: try at once instead of waiting. */
  private readonly hurry = (): void => {
    if (this.closed || this.retry === null || document.visibilityState === "hidden") return;
    clearTimeout(this.retry);
    this.retry = null;
    this.attempt = 0;
    this.connect();
  };

  private write(one: Waiting): void {
    if (this.socket?.readyState !== 1) return;
    const what = one.commands.length === 1 ? { command: one.commands[0] } : { commands: one.commands };
    this.socket.send(JSON.stringify({ key: one.key, ...what, csrf: csrf() }));
  }

  private set(known: Known): void {
    this.known = known;
    this.tell(known);
  }

  private stopTimers(): void {
    if (this.retry) clearTimeout(this.retry);
    if (this.silence) clearTimeout(this.silence);
    this.retry = null;
    this.silence = null;
  }
}
