import { expect, test } from "vitest";
import { flights, MOST } from "../src/chips/flights";

test("lost chips go to the house; winnings come to the spot and go to the patron with the stake", () => {
  const moved = flights([
    { at: "1:player", result: "lost", stake: 100, winnings: 0 },
    { at: "1:banker", result: "won", stake: 200, winnings: 190 },
    { at: "1:tie", result: "returned", stake: 50, winnings: 0 },
  ]);
  expect(moved.map(({ at, from, to, value }) => `${at} ${from}>${to} ${value}`)).toEqual([
    "1:player spot>house 100",
    "1:banker house>spot 190",
    "1:banker spot>patron 390",
    "1:tie spot>patron 50",
  ]);
  const [lost, paid, home] = moved;
  expect(lost!.after).toBeLessThan(paid!.after);
  expect(paid!.after).toBeLessThan(home!.after);
  expect(Math.max(...moved.map((flight) => flight.after))).toBeLessThan(1_000);
});

test("there are never more than can be seen", () => {
  const line = { at: "1:player", result: "won", stake: 1, winnings: 1 };
  expect(flights(Array.from({ length: 500 }, () => line))).toHaveLength(MOST);
});
