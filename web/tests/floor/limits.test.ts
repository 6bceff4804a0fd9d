import { expect, test } from "vitest";
import { fieldsOf, limitsOf, startingLimits } from "../../src/floor/limits";
import type { Limits } from "../../src/lib/shapes";

const BETS = ["player", "banker", "tie", "big_tiger"];

/** As they were set: only two bets have figures of their own. */
const given: Limits = {
  minimum: "50.00",
  maximum: "5000.00",
  maximum_differential: "10000.00",
  scope: "box",
  bets: {
    banker: { minimum: "100.00", maximum: null },
    tie: { minimum: null, maximum: "200.00" },
  },
};

test("a bet's fields are empty where it has no figure of its own", () => {
  const { own } = fieldsOf(given, BETS);
  expect(own.player).toEqual({ minimum: "", maximum: "" });
  expect(own.banker).toEqual({ minimum: "100", maximum: "" });
  expect(own.tie).toEqual({ minimum: "", maximum: "200" });
  expect(own.big_tiger).toEqual({ minimum: "", maximum: "" });
});

test("a bet without figures of its own follows the general limits that are announced", () => {
  const fields = { ...fieldsOf(given, BETS), minimum: "75", maximum: "8,000" };
  expect(limitsOf(fields, BETS, given)).toEqual({
    ...given,
    minimum: "75.00",
    maximum: "8000.00",
    bets: { banker: { minimum: "100.00", maximum: null }, tie: { minimum: null, maximum: "200.00" } },
  });
});

test("limits late in the shoe are kept, and a figure that is missing or no amount gives no limits", () => {
  const late = { cards_left: 60, maximum: { tie: "100.00" } };
  const fields = fieldsOf(given, BETS);
  expect(limitsOf(fields, BETS, { ...given, late })?.late).toEqual(late);
  expect(limitsOf({ ...fields, maximum: "" }, BETS, given)?.maximum).toBeNull();
  expect(limitsOf({ ...fields, minimum: "" }, BETS, given)).toBeNull();
  expect(limitsOf({ ...fields, differential: "much" }, BETS, given)).toBeNull();
  expect(limitsOf({ ...fields, own: { ...fields.own, tie: { minimum: "a few", maximum: "" } } }, BETS, given)).toBeNull();
});

test("a new table starts from the general limits of another, without its limits late in the shoe", () => {
  const start = startingLimits({ ...given, late: { cards_left: 60, maximum: { tie: "100.00" } } });
  expect(start).toEqual({ ...given, bets: {} });
  expect(start).not.toHaveProperty("late");
  expect(limitsOf(fieldsOf(start, BETS), BETS, start)).not.toHaveProperty("late");
  expect(limitsOf(fieldsOf(startingLimits(undefined), BETS), BETS, start)).toBeNull();
});
