import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ANSWER_MS, KEPT, LINE_LOST, Live, OPEN_MS, QUIET_MS, reduce, UNKNOWN, wait, type Frame, type Known } from "../src/lib/live";
import { onOldToken, setCsrf } from "../src/lib/api";
import changes from "./fixtures/changes.json";
import rounds from "./fixtures/rounds.json";

const recorded = rounds as unknown as Record<string, Frame[]>;

describe("reduce, over whole recorded rounds", () => {
  test.each(Object.keys(recorded))("%s", (name) => {
    let known: Known = UNKNOWN;
    for (const frame of recorded[name]!) known = reduce(known, frame, 0);
    const last = recorded[name]!.at(-1)! as Extract<Frame, { frame: "events" }>;
    expect(known.version).toBe(last.to);
    expect(known.view).toEqual({ ...last.view, ...last.mine });
    expect(known.view!.patron).toBe("ann");
    expect(known.events.map((stored) => stored.version)).toEqual([...known.events.map((stored) => stored.version)].sort((a, b) => a - b));
  });

  test.each(Object.keys(recorded))("%s, told by changes", (name) => {
    const small = (changes as unknown as typeof recorded)[name]!;
    let [known, whole] = [UNKNOWN, UNKNOWN];
    for (const [at, frame] of recorded[name]!.entries()) {
      whole = reduce(whole, frame, 0);
      const before = structuredClone(known);
      const next = reduce(known, small[at]!, 0);
      expect(known).toEqual(before);
      known = next;
      expect(known.view).toEqual(whole.view);
    }
    expect(JSON.stringify(small).length).toBeLessThan(JSON.stringify(recorded[name]).length / 2);
  });

  test("what is the patron's own lies over the public view, and goes when it goes", () => {
    const frames = recorded["insurance-won"]!;
    const joined = frames.findIndex((frame) => "mine" in frame && frame.mine);
    let known = UNKNOWN;
    for (const frame of frames.slice(0, joined)) known = reduce(known, frame, 0);
    expect(known.view!.balance).toBeUndefined();
    known = reduce(known, frames[joined]!, 0);
    expect(known.view!.balance).toBe("1000.00");
  });

  test("a frame that is known already changes nothing; one that overlaps adds only what is new", () => {
    const frames = recorded["insurance-won"]!;
    let known = UNKNOWN;
    for (const frame of frames) known = reduce(known, frame, 0);
    expect(reduce(known, frames[2]!, 0)).toBe(known);
    const last = frames.at(-1)! as Extract<Frame, { frame: "events" }>;
    const again = reduce(known, last, 0);
    expect(again.fresh).toEqual([]);
    expect(again.events).toEqual(known.events);
  });

  test("a snapshot starts anew: it does not follow the events that are known", () => {
    const [snapshot, ...frames] = recorded["insurance-won"]!;
    const known = frames.reduce((before, frame) => reduce(before, frame, 0), reduce(UNKNOWN, snapshot!, 0));
    expect(known.events.length).toBeGreaterThan(0);
    expect(reduce(known, { ...snapshot!, version: known.version + 2_000 } as Frame, 0).events).toEqual([]);
  });

  test("the house's clock is told from this machine's", () => {
    const frame = recorded["insurance-won"]![0]!;
    expect(reduce(UNKNOWN, frame, Date.parse("2025-12-31T23:59:50.000Z")).skew).toBe(10_000);
  });

  test("events are kept to a bound", () => {
    let known: Known = reduce(UNKNOWN, recorded["insurance-won"]![0]!, 0);
    for (let i = 0; i < KEPT + 50; i++) {
      const version = known.version + 1;
      known = reduce(known, { frame: "events", from: version, to: version, events: [{ version, at: "", event: { event: "x" } }] }, 0);
    }
    expect(known.events).toHaveLength(KEPT);
    expect(known.events.at(-1)!.version).toBe(known.version);
  });
});

test("the wait doubles to eight seconds, less a random part", () => {
  expect([0, 1, 2, 3, 4, 5, 6, 40].map((attempt) => wait(attempt, 0))).toEqual([250, 500, 1000, 2000, 4000, 8000, 8000, 8000]);
  expect(wait(3, 1)).toBe(1500);
});

class FakeSocket {
  static all: FakeSocket[] = [];
  readyState = 0;
  sent: { key: string; ping?: boolean; command?: unknown; commands?: unknown; csrf: string }[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(readonly address: string) {
    FakeSocket.all.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(): void {
    this.readyState = 3;
  }

  opens(): void {
    this.readyState = 1;
    this.onopen?.();
  }

  says(frame: unknown): void {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }

  drops(code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }
}

describe("the connection", () => {
  let seen: Known[];
  let live: Live;
  const newest = (): FakeSocket => FakeSocket.all.at(-1)!;
  const frames = recorded["insurance-won"]!;

  beforeEach(() => {
    vi.useFakeTimers();
    FakeSocket.all = [];
    seen = [];
    setCsrf("token");
    live = new Live("a table", (known) => seen.push(known), (address) => new FakeSocket(address) as unknown as WebSocket, "http://house");
  });

  afterEach(() => {
    live.send({ do: "x" }).catch(() => undefined);
    live.close();
    vi.useRealTimers();
  });

  test("asks for a snapshot first, then resumes from the version it has", () => {
    expect(newest().address).toBe("ws://house/api/tables/a%20table/live?changes=1");
    newest().opens();
    newest().says(frames[0]);
    newest().says(frames[1]);
    newest().drops();
    expect(live.known.link).toBe("lost");
    vi.advanceTimersByTime(250);
    expect(newest().address).toBe(`ws://house/api/tables/a%20table/live?changes=1&after=${live.known.version}`);
    newest().opens();
    newest().says(frames[2]);
    expect(live.known.link).toBe("open");
    expect(live.known.version).toBe((frames[2] as { to: number }).to);
  });

  test("no clock runs while the line is lost; the house tells of a fresh one though nothing happened meanwhile", () => {
    const clock = { for: "betting", ends_at: "2026-01-01T00:00:20.000Z", seconds: 20 };
    const fresh = { ...clock, ends_at: "2026-01-01T00:01:00.000Z" };
    newest().opens();
    newest().says({ ...frames[0], clock });
    const { version, view } = live.known;
    expect(live.known.clock).toEqual(clock);
    newest().drops();
    expect(live.known.clock).toBeNull();
    vi.advanceTimersByTime(250);
    newest().opens();
    newest().says({ frame: "events", from: version + 1, to: version, events: [], view, clock: fresh });
    expect(live.known).toMatchObject({ version, clock: fresh, link: "open", fresh: [] });
  });

  test("waits longer after each failure, and not at all after it was open again", () => {
    newest().opens();
    newest().drops();
    for (const least of [187, 375, 750, 1500]) {
      const before = FakeSocket.all.length;
      vi.advanceTimersByTime(least - 1);
      expect(FakeSocket.all.length).toBe(before);
      vi.advanceTimersByTime(least);
      expect(FakeSocket.all.length).toBe(before + 1);
      newest().drops();
    }
    vi.advanceTimersByTime(8_000);
    newest().opens();
    newest().drops();
    vi.advanceTimersByTime(250);
    expect(newest().readyState).toBe(0);
  });

  test("a command that was not answered is sent again under its key, and answered once", async () => {
    newest().opens();
    const answer = live.send({ do: "sit", box: 1 });
    const first = newest().sent[0]!;
    expect(first.csrf).toBe("token");
    newest().drops();
    vi.advanceTimersByTime(250);
    newest().opens();
    expect(newest().sent).toEqual([first]);
    newest().says({ frame: "answer", key: first.key, answer: { table: "t", version: 7, events: [] } });
    expect((await answer).version).toBe(7);
    newest().drops();
    vi.advanceTimersByTime(250);
    newest().opens();
    expect(newest().sent).toEqual([]);
  });

  test("commands given while the line is down go out when it is up; several travel under one key", () => {
    live.send([{ do: "join" }, { do: "sit", box: 2 }]).catch(() => undefined);
    expect(newest().sent).toEqual([]);
    newest().opens();
    expect(newest().sent[0]!.commands).toEqual([{ do: "join" }, { do: "sit", box: 2 }]);
  });

  test("a wager names the round that was seen when it was given, also where it goes out in a later one", () => {
    const at = (round: number) => ({ ...frames[0], view: { ...(frames[0] as { view: object }).view, round } });
    newest().opens();
    newest().says(at(5));
    newest().drops();
    live.send([{ do: "sit", box: 1 }, { do: "place-wager", box: 1 }, { do: "report-chips", round: 4 }]).catch(() => undefined);
    vi.advanceTimersByTime(250);
    newest().says(at(6));
    newest().opens();
    expect(newest().sent[0]!.commands).toEqual([
      { do: "sit", box: 1 },
      { do: "place-wager", box: 1, round: 5 },
      { do: "report-chips", round: 4 },
    ]);
    const report = { do: "report-irregularity", kind: "void" };
    for (const about of [{ round: 6 }, {}]) {
      newest().says({ ...at(6), mine: { can: [{ do: report.do, ...about }] } });
      live.send(report).catch(() => undefined);
    }
    expect(newest().sent.slice(1).map((message) => message.command)).toEqual([{ ...report, round: 6 }, report]);
  });

  test("a refusal carries its code and paragraph", async () => {
    newest().opens();
    const answer = live.send({ do: "sit", box: 99 });
    newest().says({ frame: "answer", key: newest().sent[0]!.key, problem: { status: 409, code: "no-such-box", detail: "there is no box 99", paragraph: "2.1" } });
    await expect(answer).rejects.toMatchObject({ code: "no-such-box", paragraph: "2.1", status: 409 });
  });

  test("a refusal of the token asks for a new one", () => {
    const renew = vi.fn(() => Promise.resolve(true));
    onOldToken(renew);
    newest().opens();
    for (const code of ["no-such-box", "csrf"]) {
      expect(renew).not.toHaveBeenCalled();
      live.send({ do: "sit", box: 1 }).catch(() => undefined);
      newest().says({ frame: "answer", key: newest().sent.at(-1)!.key, problem: { status: 403, code } });
    }
    expect(renew).toHaveBeenCalledOnce();
    onOldToken(() => Promise.resolve(false));
  });

  test("a quiet line is asked for a sign of life, and lost within five seconds without one", () => {
    newest().opens();
    newest().says(frames[0]);
    vi.advanceTimersByTime(QUIET_MS);
    expect(newest().sent).toEqual([{ ping: true }]);
    vi.advanceTimersByTime(ANSWER_MS);
    newest().says({ frame: "ping" });
    vi.advanceTimersByTime(4_999);
    expect(live.known.link).toBe("lost");
    expect(seen.filter((known) => known.link === "lost")).toHaveLength(1);
    expect(FakeSocket.all.length).toBeGreaterThan(1);
  });

  test("the line is open again when the table has been seen over it, not before; one that shows nothing is given up", () => {
    newest().opens();
    expect(live.known.link).toBe("connecting");
    newest().says(frames[0]);
    expect(live.known.link).toBe("open");
    newest().drops();
    vi.advanceTimersByTime(250);
    newest().opens();
    newest().says({ frame: "ping" });
    expect(live.known.link).toBe("lost");
    vi.advanceTimersByTime(OPEN_MS + 1000);
    expect(FakeSocket.all.length).toBeGreaterThan(2);
    newest().opens();
    newest().says(frames[1]);
    expect(live.known.link).toBe("open");
  });

  test("what is sent over this line alone fails with it and is never sent again", async () => {
    await expect(live.sendNow({ do: "place-wager" })).rejects.toMatchObject({ code: LINE_LOST });
    newest().opens();
    newest().says(frames[0]);
    const wager = live.sendNow({ do: "place-wager" });
    expect(newest().sent).toHaveLength(1);
    newest().drops();
    await expect(wager).rejects.toMatchObject({ code: LINE_LOST });
    vi.advanceTimersByTime(250);
    newest().opens();
    newest().says(frames[1]);
    expect(newest().sent).toEqual([]);
  });

  test.each([
    [4401, "signed-out"],
    [4403, "not-allowed"],
    [4404, "no-table"],
  ])("%i ends it", async (code, why) => {
    newest().opens();
    const answer = live.send({ do: "sit", box: 1 });
    newest().drops(code);
    await expect(answer).rejects.toMatchObject({ code: why });
    expect(live.known).toMatchObject({ link: "ended", why });
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(1);
    expect(await refusalOf(live.send({ do: "sit", box: 1 }))).toBe(why);
  });

  test("nothing is sent once it was closed", async () => {
    newest().opens();
    live.close();
    expect(await refusalOf(live.send({ do: "sit", box: 1 }))).toBe("closed");
    expect(newest().sent).toEqual([]);
  });
});

/** The code of a refusal that is there at once; undefined where there is none yet. */
async function refusalOf(answer: Promise<unknown>): Promise<string | undefined> {
  let code: string | undefined;
  answer.catch((problem: { code: string }) => (code = problem.code));
  await Promise.resolve();
  return code;
}
