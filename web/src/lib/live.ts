// A table, followed live. `reduce` adds a frame to what is known and is pure. `Live` keeps the socket up: it resumes
// from the version it has, waits longer after each failure, and sends unanswered commands again under their old keys. A
// visible page pings the house over a silent socket; without an answer the socket is lost within five seconds. The link
// is open again once a fresh view has arrived.

import { csrf, newKey, OLD_TOKEN, problem, renewToken, type Problem } from "./api";
import { renewed, type Changes, type Parts } from "./changes";
import { inRound } from "./round";
import type { Answer, Clock, Command, Stored, View } from "./shapes";

export type Link = "connecting" | "open" | "lost" | "ended";

export interface Known {
  version: number;
  /** The public view, plus what only this person may see. */
  view: View | null;
  /** The same view in its two parts; a frame may change either. */
  parts: Parts | null;
  clock: Clock | null;
  /** The latest events, oldest first; at most KEPT. */
  events: Stored[];
  /** The events that the last frame brought. */
  fresh: Stored[];
  /** The house's clock minus this machine's, in milliseconds. */
  skew: number;
  link: Link;
  /** Why the link ended, when it did: "signed-out", "not-allowed" or "no-table". */
  why: string | null;
}

export const KEPT = 500;
export const UNKNOWN: Known = { version: 0, view: null, parts: null, clock: null, events: [], fresh: [], skew: 0, link: "connecting", why: null };

interface Snapshot {
  frame: "snapshot";
  version: number;
  now?: string;
  view: View;
  mine?: Partial<View> | null;
  clock?: Clock | null;
}
interface EventsFrame extends Changes {
  frame: "events";
  from: number;
  to: number;
  now?: string;
  events: Stored[];
}
interface AnswerFrame {
  frame: "answer";
  key: string;
  answer?: Answer;
  problem?: Record<string, unknown>;
}
export type Frame = Snapshot | EventsFrame | AnswerFrame | { frame: "ping"; now?: string };

/** What is known after a frame. An events frame that ends before the known version changes nothing. A snapshot starts
 * anew: events that are known from before may not lead up to it. */
export function reduce(known: Known, frame: Frame, now: number): Known {
  if (frame.frame === "snapshot") {
    return {
      ...known,
      version: frame.version,
      ...seen(renewed(null, frame)),
      clock: frame.clock ?? null,
      events: [],
      fresh: [],
      skew: skewOf(frame.now, now, known.skew),
    };
  }
  if (frame.frame === "ping" && frame.now) return { ...known, fresh: [], skew: skewOf(frame.now, now, known.skew) };
  if (frame.frame === "events") {
    if (frame.to < known.version) return known;
    const fresh = frame.events.filter((stored) => stored.version > known.version);
    return {
      ...known,
      version: frame.to,
      ...seen(renewed(known.parts, frame)),
      clock: frame.clock === undefined ? known.clock : frame.clock,
      events: fresh.length ? [...known.events, ...fresh].slice(-KEPT) : known.events,
      fresh,
      skew: skewOf(frame.now, now, known.skew),
    };
  }
  return known;
}

function seen(parts: Parts | null): Pick<Known, "parts" | "view"> {
  return { parts, view: parts && { ...parts.everybody, ...parts.mine } };
}

function skewOf(time: string | undefined, now: number, before: number): number {
  const house = time ? Date.parse(time) : NaN;
  return Number.isNaN(house) ? before : house - now;
}

/** How long to wait before attempt n (from 0): doubling from 250 ms to 8 s, minus up to a quarter at random. */
export function wait(attempt: number, chance = Math.random()): number {
  const full = Math.min(250 * 2 ** Math.min(attempt, 10), 8_000);
  return Math.round(full * (1 - chance / 4));
}

/** The close codes by which the house ends a socket for good. */
export const ENDINGS: Record<number, string> = { 4401: "signed-out", 4403: "not-allowed", 4404: "no-table" };
/** The socket of a hidden page may be silent this long; the house pings more often than that. */
export const SILENCE_MS = 60_000;
/** After this long without a frame, a visible page pings the house. */
export const QUIET_MS = 2_000;
/** The house has this long to answer. A frame that has arrived and is not read yet gets a moment more. */
export const ANSWER_MS = 2_200;
/** A new socket has this long to open, and then again to show the table. */
export const OPEN_MS = 10_000;
const GRACE_MS = 250;
const PING = JSON.stringify({ ping: true });
/** The code with which the page refuses a command whose answer can no longer arrive. */
export const LINE_LOST = "line-lost";

const hidden = (): boolean => typeof document !== "undefined" && document.visibilityState === "hidden";

interface Waiting {
  key: string;
  commands: Command[];
  /** Not sent again over another socket. */
  once: boolean;
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
      window.addEventListener("offline", this.offline);
      document.addEventListener("visibilitychange", this.hurry);
    }
    this.connect();
  }

  /** Sends commands, all or nothing, under one key, in the round that is seen now. The promise settles once the house
   * has answered, across reconnects. */
  send(commands: Command | Command[], key: string = newKey()): Promise<Answer> {
    return this.put(commands, key, false);
  }

  /** The same over this socket or not at all: nothing is sent again by itself. If no answer arrives, the next view
   * shows whether the house got the commands. */
  sendNow(commands: Command | Command[]): Promise<Answer> {
    return this.known.link === "open" ? this.put(commands, newKey(), true) : Promise.reject(problem({ code: LINE_LOST }));
  }

  private put(commands: Command | Command[], key: string, once: boolean): Promise<Answer> {
    const over = this.closed ? "closed" : this.known.why;
    if (over) return Promise.reject(problem({ code: over }));
    const list = (Array.isArray(commands) ? commands : [commands]).map((command) => inRound(command, this.known.view));
    return new Promise((done, failed) => {
      const request: Waiting = { key, commands: list, once, done, failed };
      this.waiting.set(key, request);
      this.write(request);
    });
  }

  close(): void {
    this.closed = true;
    if (typeof window !== "undefined") {
      window.removeEventListener("online", this.hurry);
      window.removeEventListener("offline", this.offline);
      document.removeEventListener("visibilitychange", this.hurry);
    }
    this.stopTimers();
    this.socket?.close(1000);
    this.socket = null;
    this.giveUp("closed");
  }

  private connect(): void {
    const after = this.known.view ? `&after=${this.known.version}` : "";
    const address = `${this.origin.replace(/^http/, "ws")}/api/tables/${encodeURIComponent(this.table)}/live?changes=1${after}`;
    const socket = this.open(address);
    this.socket = socket;
    this.expect(OPEN_MS);
    socket.onopen = () => {
      if (this.socket !== socket) return;
      this.attempt = 0;
      this.expect(OPEN_MS);
      for (const request of this.waiting.values()) this.write(request);
    };
    socket.onmessage = (message: MessageEvent<string>) => {
      if (this.socket !== socket) return;
      this.take(JSON.parse(message.data) as Frame);
      if (this.known.link === "open") this.listen();
    };
    socket.onclose = (event) => {
      if (this.socket !== socket) return;
      this.socket = null;
      this.lost(event.code);
    };
  }

  private take(frame: Frame): void {
    if (frame.frame === "answer") {
      const request = this.waiting.get(frame.key);
      this.waiting.delete(frame.key);
      if (frame.answer) request?.done(frame.answer);
      else request?.failed(problem(frame.problem ?? {}));
      // This socket was opened for a session that began in another tab.
      if (frame.problem?.code === OLD_TOKEN) void renewToken();
      return;
    }
    const next = reduce(this.known, frame, Date.now());
    // The link is open once the new socket has shown the table.
    const shown = frame.frame !== "ping" && next.link !== "open";
    if (shown || next !== this.known) this.set(shown ? { ...next, link: "open", why: null } : next);
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
    // The clock may be another one when the house is back. Until then none runs.
    this.set({ ...this.known, link: "lost", clock: null, fresh: [] });
    this.giveUp(LINE_LOST, (request) => request.once);
    this.retry = setTimeout(() => {
      this.retry = null;
      this.connect();
    }, wait(this.attempt++));
  }

  private giveUp(why: string, which: (request: Waiting) => boolean = () => true): void {
    for (const request of [...this.waiting.values()].filter(which)) {
      this.waiting.delete(request.key);
      request.failed(problem({ code: why }));
    }
  }

  /** A frame has arrived. If no other follows, a visible page pings; a hidden one waits for the house's pings. */
  private listen(): void {
    if (hidden()) this.expect(SILENCE_MS);
    else this.after(QUIET_MS, this.probe);
  }

  private readonly probe = (): void => {
    if (this.socket?.readyState === 1) this.socket.send(PING);
    this.expect(ANSWER_MS);
  };

  /** The socket is lost unless a frame arrives in time. */
  private expect(ms: number): void {
    this.after(ms, () => this.after(GRACE_MS, this.drop));
  }

  private after(ms: number, act: () => void): void {
    if (this.silence) clearTimeout(this.silence);
    this.silence = setTimeout(act, ms);
  }

  private readonly drop = (): void => {
    const dead = this.socket;
    this.socket = null;
    dead?.close();
    this.lost(0);
  };

  /** The browser says that it is offline. If the house is on this machine, the link soon opens again. */
  private readonly offline = (): void => {
    if (this.socket) this.drop();
  };

  /** Back online, or visible again: connect at once instead of waiting, and test the socket that is open. */
  private readonly hurry = (): void => {
    if (this.closed || hidden()) return;
    if (this.socket?.readyState === 1) this.probe();
    if (this.retry === null) return;
    clearTimeout(this.retry);
    this.retry = null;
    this.attempt = 0;
    this.connect();
  };

  private write(request: Waiting): void {
    if (this.socket?.readyState !== 1) return;
    const what = request.commands.length === 1 ? { command: request.commands[0] } : { commands: request.commands };
    this.socket.send(JSON.stringify({ key: request.key, ...what, csrf: csrf() }));
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
