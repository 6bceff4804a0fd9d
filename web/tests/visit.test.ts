import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Line } from "../src/lib/shapes";
import { ENDS_MS, MOST_ROUNDS, Visit } from "../src/table/visit.svelte";

const lost = (stake: string): Line[] => [
  { wager: "w1", patron: "ann", bet: "player", result: "lost", paragraph: "4.1", odds: null, stake, winnings: "0.00", handed_back: "0.00" },
];

/** Browser storage for all tabs. `Object.keys` gives the stored keys, as in a browser. */
function storage(): Storage {
  const methods = {
    getItem(this: Record<string, string>, key: string) {
      return this[key] ?? null;
    },
    setItem(this: Record<string, string>, key: string, value: string) {
      this[key] = value;
    },
    removeItem(this: Record<string, string>, key: string) {
      delete this[key];
    },
  };
  return Object.create(methods) as Storage;
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000_000_000 });
  vi.stubGlobal("localStorage", storage());
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a second tab counts on from the first, and a round counts once", () => {
  const first = new Visit("t", "ann");
  first.count(1, lost("100.00"));
  vi.advanceTimersByTime(60_000);
  const second = new Visit("t", "ann");
  expect([second.net, second.since]).toEqual([-100_00, first.since]);
  second.count(1, lost("100.00"));
  second.count(2, lost("5.00"));
  first.count(2, lost("5.00"));
  first.count(3, lost("1.00"));
  expect(first.net).toBe(-106_00);
  expect(new Visit("t", "ann").net).toBe(-106_00);
});

test("a correction replaces what was counted", () => {
  const visit = new Visit("t", "ann");
  visit.count(1, lost("100.00"));
  visit.count(1, []);
  expect(visit.net).toBe(0);
});

test("what the house says of a round stands in the place of its lines", () => {
  const visit = new Visit("t", "ann");
  visit.count(1, lost("100.00"));
  visit.put(1, 25_00);
  expect([visit.net, visit.of(1), visit.of(2)]).toEqual([25_00, 25_00, undefined]);
  expect(new Visit("t", "ann").net).toBe(25_00);
});

test("nobody sees another's visit, nor that of another table", () => {
  new Visit("t", "ann").count(1, lost("100.00"));
  expect(new Visit("t", "bob").net).toBe(0);
  expect(new Visit("u", "ann").net).toBe(0);
});

test("it ends some hours after it was last seen, and then nothing of it is kept", () => {
  new Visit("t", "ann").count(1, lost("100.00"));
  vi.advanceTimersByTime(ENDS_MS - 1);
  expect(new Visit("t", "ann").net).toBe(-100_00);
  vi.advanceTimersByTime(ENDS_MS);
  new Visit("t", "bob");
  expect(Object.keys(localStorage)).toEqual(["punto.visit.bob.t"]);
  expect(new Visit("t", "ann").net).toBe(0);
});

test("few rounds are kept one by one; the sum is that of all", () => {
  const visit = new Visit("t", "ann");
  for (let round = 1; round <= MOST_ROUNDS + 20; round++) visit.count(round, lost("1.00"));
  expect(visit.net).toBe(-(MOST_ROUNDS + 20) * 100);
  const kept = JSON.parse(localStorage.getItem("punto.visit.ann.t")!) as { rounds: object };
  expect(Object.keys(kept.rounds)).toHaveLength(MOST_ROUNDS);
});
