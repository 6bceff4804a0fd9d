import { expect, test } from "vitest";
import { course, offText, shortened, ticks } from "../../src/day/figures";
import { ordered, secondsSince, sums } from "../../src/floor/figures";
import type { DaySheet, FloorTable } from "../../src/lib/house";

const table = (id: string, facts: Partial<FloorTable> = {}): FloorTable =>
  ({ id, phase: "betting", patrons: 1, at_stake: "10.00", result: "-2.50", irregularity: null, closes_now: false, ...facts }) as FloorTable;

test("the floor adds up, and what wants attention comes first", () => {
  const tables = [
    table("b"),
    table("a", { phase: "closed", patrons: 0 }),
    table("d", { closes_now: true }),
    table("c", { irregularity: { kind: "void", paragraph: "5.5", since: "2026-01-01T00:00:00.000Z" } }),
  ];
  expect(ordered(tables).map((row) => row.id)).toEqual(["c", "d", "b", "a"]);
  expect(sums(tables)).toEqual({ open: 3, patrons: 3, stake: 4000, result: -1000, wrong: 1 });
  expect(secondsSince("2026-01-01T00:00:00.000Z", "2026-01-01T00:01:05.900Z")).toBe(65);
});

test("the course of a day stands still where nothing was settled", () => {
  const step = (since: number, at: number, result: string) => ({ since: new Date(since).toISOString(), at: new Date(at).toISOString(), rounds: 1, result, theoretical: "1.00" });
  const sheet = { since: new Date(0).toISOString(), course: [step(0, 1000, "5.00"), step(3000, 4000, "-2.00")] } as unknown as DaySheet;
  expect(course(sheet).map((point) => [point.at, point.result])).toEqual([[0, 0], [1000, 500], [3000, 500], [4000, 300]]);
});

test("figures as people read them", () => {
  expect([offText(null), offText(-2.345), offText(0.1)]).toEqual(["–", "−2.35", "+0.10"]);
  expect(ticks(-90, 400)).toEqual([0, 200, 400]);
  expect(ticks(0, 100)).toEqual([0, 50, 100]);
});

test("a long name keeps its end, where an id or a number stands", () => {
  expect(shortened("The Twins · twin-a")).toBe("The Twins · twin-a");
  const long = ["a", "b"].map((end) => shortened(`The Twins of the second floor · twin-${end}`));
  expect(long).toEqual(["The Twins o…oor · twin-a", "The Twins o…oor · twin-b"]);
});
