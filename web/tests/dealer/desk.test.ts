import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Desk } from "../../src/dealer/desk.svelte";
import { KEPT, type Frame } from "../../src/lib/live";
import type { Stored } from "../../src/lib/shapes";
import rounds from "../fixtures/rounds.json";

const [snapshot, ...frames] = (rounds as unknown as Record<string, Frame[]>)["insurance-won"]!;
const later = { ...snapshot, version: 5_000 } as Frame;

let sockets: { onopen?: () => void; onmessage?: (message: { data: string }) => void }[] = [];
let addresses: string[] = [];
/** What the house answers to a request for events. */
let answers: (after: number, limit: number) => Promise<Stored[]> | Stored[];
const says = (frame: unknown) => sockets.at(-1)!.onmessage!({ data: JSON.stringify(frame) });
const stored = (version: number): Stored => ({ version, at: "", event: { event: "x" } }) as unknown as Stored;
const span = (after: number, to: number): Stored[] => Array.from({ length: to - after }, (_, at) => stored(after + 1 + at));
/** Enough turns for an answer of the house to be read. */
const answered = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((done) => setTimeout(done));
};

function opened(version: number): Desk {
  const desk = new Desk("T1");
  sockets[0]!.onopen!();
  says({ ...snapshot, version });
  return desk;
}

function happens(after: number, to: number): void {
  for (const event of span(after, to)) says({ frame: "events", from: event.version, to: event.version, events: [event] });
}

/** The first and the last version, after checking that none is missing between them. */
function ends(desk: Desk): [number, number] {
  const versions = desk.events.map((event) => event.version);
  const [first, last] = [versions[0]!, versions.at(-1)!];
  expect(versions).toEqual(span(first - 1, last).map((event) => event.version));
  return [first, last];
}

beforeEach(() => {
  sockets = [];
  addresses = [];
  answers = () => [];
  vi.stubGlobal("WebSocket", function (this: object) {
    sockets.push(this as never);
    Object.assign(this, { close: () => undefined, send: () => undefined });
  });
  vi.stubGlobal("fetch", async (address: string) => {
    addresses.push(String(address));
    const query = new URL(address, "http://house").searchParams;
    return new Response(JSON.stringify(await answers(Number(query.get("after")), Number(query.get("limit")))));
  });
});

afterEach(() => vi.unstubAllGlobals());

test("events before a snapshot are fetched, also before one that comes after a long absence", () => {
  const desk = new Desk("T1");
  sockets[0]!.onopen!();
  says(snapshot);
  for (const frame of frames) says(frame);
  expect(addresses.filter((address) => address.includes("/events?"))).toHaveLength(1);
  says(later);
  expect(desk.events).toEqual([]);
  expect(addresses.filter((address) => address.includes("/events?")).at(-1)).toContain(`after=${5_000 - KEPT}&`);
  desk.close();
});

test("no event is missing after more than the connection keeps", async () => {
  answers = (after, limit) => span(after, after + limit);
  const desk = opened(2_000);
  await answered();
  expect(ends(desk)).toEqual([1_501, 2_000]);
  happens(2_000, 2_000 + KEPT + 70);
  expect(ends(desk)).toEqual([1_571, 2_570]);
  happens(2_570, 4_000);
  expect(ends(desk), "a bound").toEqual([3_001, 4_000]);
  says({ frame: "events", from: 4_001, to: 4_600, events: span(4_000, 4_600) });
  expect(ends(desk), "more in one frame than the connection keeps").toEqual([3_601, 4_600]);
  desk.close();
});

test("older events are fetched up to the first, and leave no gap while the table goes on", async () => {
  answers = (after, limit) => span(after, after + limit);
  const desk = opened(2_000);
  await answered();
  const older = desk.recallOlder();
  happens(2_000, 2_020);
  await older;
  expect(ends(desk)).toEqual([1_001, 2_020]);
  happens(2_020, 2_600);
  expect(ends(desk), "as many as were asked for").toEqual([1_101, 2_600]);
  answers = () => Promise.reject(new Error());
  await expect(desk.recallOlder()).rejects.toThrow();
  happens(2_600, 2_700);
  expect(ends(desk), "no more for a failure").toEqual([1_201, 2_700]);
  desk.close();
});

test("what could not be fetched can be asked for", async () => {
  answers = () => Promise.reject(new Error());
  const desk = opened(300);
  await answered();
  expect([desk.recalled, desk.events, desk.first]).toEqual([true, [], 301]);
  answers = (after, limit) => span(after, after + limit);
  await desk.recallOlder();
  expect(ends(desk)).toEqual([1, 300]);
  const requests = addresses.length;
  await desk.recallOlder();
  expect(addresses, "there are no older ones").toHaveLength(requests);
  desk.close();
});

test("an answer that comes late, or about an earlier table, leaves no gap", async () => {
  const late: (() => void)[] = [];
  answers = (after, limit) => new Promise((done) => late.push(() => done(span(after, after + limit))));
  const desk = opened(1_000);
  happens(1_000, 1_700);
  expect(ends(desk)).toEqual([1_001, 1_700]);
  late[0]!();
  await answered();
  expect(ends(desk), "the newest of them").toEqual([701, 1_700]);
  says({ ...snapshot, version: 9_000 });
  expect(desk.events).toEqual([]);
  says({ ...snapshot, version: 20_000 });
  happens(20_000, 20_003);
  late[1]!();
  await answered();
  expect(ends(desk)).toEqual([20_001, 20_003]);
  late[2]!();
  await answered();
  expect(ends(desk)).toEqual([19_501, 20_003]);
  desk.close();
});
