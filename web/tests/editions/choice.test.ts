import { expect, test } from "vitest";
import { named, newest, newestOf } from "../../src/editions/choice";
import type { Listed } from "../../src/lib/house";

const listed = (game: string, edition: string, inForce: boolean): Listed => ({ game, edition, in_force: inForce }) as Listed;
const ALL = [listed("a", "2024", true), listed("a", "2025", false), listed("b", "1", false), listed("b", "2", false)];

test("the edition in force is shown, or the last where none is", () => {
  expect(newestOf(ALL, "a")).toBe(ALL[0]);
  expect(newestOf(ALL, "b")).toBe(ALL[3]);
  expect(newest([])).toBeUndefined();
});

test("an address names an edition, or the first game's newest is shown", () => {
  expect(named(ALL, {})).toBe(ALL[0]);
  expect(named(ALL, { game: "b", edition: "1" })).toBe(ALL[2]);
  expect(named(ALL, { game: "b", edition: "2024" })).toBeUndefined();
  expect(named([], {})).toBeUndefined();
});
