import { expect, test } from "vitest";
import type { TableEvent } from "../src/lib/shapes";
import { notice } from "../src/table/notices";

const fresh = (...events: TableEvent[]) => events.map((event, i) => ({ version: i + 1, at: "", event }));

test("what moves everybody's round is told to everybody", () => {
  expect(notice(fresh({ event: "round-voided", paragraph: "5.21", round: 7, lines: [] }), null)).toEqual({
    event: "round-voided",
    values: { round: 7 },
    paragraph: "5.21",
    kind: null,
  });
});

test("what moves one patron's chips is told to that patron", () => {
  const cut = fresh({ event: "wager-cut", paragraph: "5.1.1", wager: "w1", patron: "ann", stake: "50.00" });
  expect(notice(cut, "ann")?.values).toEqual({ stake: "50.00" });
  expect(notice(cut, "bob")).toBeNull();
  expect(notice(cut, null)).toBeNull();
});

test("an irregularity that waits for a decision has its own bar; one that does not is told", () => {
  const report = (opens: boolean): TableEvent => ({ event: "irregularity-reported", paragraph: "5.4", opens, irregularity: { kind: "interruption" } });
  expect(notice(fresh(report(true)), "ann")).toBeNull();
  expect(notice(fresh(report(false)), "ann")?.kind).toBe("interruption");
  expect(notice(fresh(report(false), { event: "round-voided", round: 1 }), "ann")?.event).toBe("round-voided");
});

test("play as usual is no news", () => {
  expect(notice(fresh({ event: "betting-opened" }, { event: "card-drawn", place: "P1" }, { event: "round-settled" }), "ann")).toBeNull();
});

test("what a ruling pays is told with its sum", () => {
  const paid = { version: 1, at: "", event: { event: "ruling-paid", paragraph: "5.23", entries: [{ patron: "ann", paid: "25.00" }] } };
  expect(notice([paid], "ann")).toEqual({ event: "ruling-paid", values: { paid: "25.00" }, paragraph: "5.23", kind: null });
});
