import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Desk } from "../../src/dealer/desk.svelte";
import { KEPT, type Frame } from "../../src/lib/live";
import rounds from "../fixtures/rounds.json";

const [snapshot, ...frames] = (rounds as unknown as Record<string, Frame[]>)["insurance-won"]!;
const later = { ...snapshot, version: 5_000 } as Frame;

let sockets: { onopen?: () => void; onmessage?: (message: { data: string }) => void }[] = [];
let addresses: string[] = [];
const says = (frame: unknown) => sockets.at(-1)!.onmessage!({ data: JSON.stringify(frame) });

beforeEach(() => {
  sockets = [];
  addresses = [];
  vi.stubGlobal("WebSocket", function (this: object) {
    sockets.push(this as never);
    Object.assign(this, { close: () => undefined, send: () => undefined });
  });
  vi.stubGlobal("fetch", (address: string) => {
    addresses.push(String(address));
    return Promise.resolve(new Response("[]", { headers: { "content-type": "application/json" } }));
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
