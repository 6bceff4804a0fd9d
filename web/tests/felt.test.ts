import { describe, expect, test } from "vitest";
import { split, chipBelow, tray } from "../src/chips/values";
import { oddsText } from "../src/lib/money";
import type { BetRule, Edition } from "../src/lib/reference.svelte";
import { cells, count, firstColumn, type RoadsAnswer } from "../src/roads/boards";
import { felt, limitsOf, paysText } from "../src/table/felt";
import editions from "./fixtures/editions.json";
import roads from "./fixtures/roads.json";

const books = editions as unknown as Record<string, Edition>;
const layouts = Object.entries(books).flatMap(([id, edition]) => Object.keys(edition.layouts).map((layout) => [id, layout] as const));

describe("every layout of every edition has its place on the felt", () => {
  test.each(layouts)("%s %s", (id, layout) => {
    const edition = books[id]!;
    const bets = edition.layouts[layout]!.bets;
    const drawn = felt(edition, bets);
    expect(drawn.main.map((spot) => spot.role)).toEqual(["player", "tie", "banker"].filter((role) => bets.includes(role)));
    const all = [...drawn.main, ...drawn.player, ...drawn.middle, ...drawn.banker].map((spot) => spot.bet);
    expect(all.sort()).toEqual([...bets].sort());
  });
});

describe("what a bet pays", () => {
  const pays = (...odds: string[]) => ({ pays: odds.map((text) => ({ odds: text })) }) as BetRule;
  const forms: [odds: string[], en: string, zh: string][] = [
    [["19/20"], "0.95 to 1", "1 賠 0.95"],
    [["1/2", "1"], "1 to 2 · 1 to 1", "2 賠 1 · 1 賠 1"],
    [["3/2"], "3 to 2", "2 賠 3"],
    [["50", "22"], "50/22 to 1", "1 賠 50/22"],
    [["10"], "10 to 1", "1 賠 10"],
    [["27/50"], "0.54 to 1", "1 賠 0.54"],
    [["1/11"], "1 to 11", "11 賠 1"],
  ];

  test.each(forms)("%s", (odds, en, zh) => {
    expect(paysText(pays(...odds), "{won} to {staked}")).toBe(en);
    expect(paysText(pays(...odds), "{staked} 賠 {won}")).toBe(zh);
  });

  test("the same odds are said the same way in every edition, and as the house says them", () => {
    for (const edition of Object.values(books)) {
      for (const row of [...Object.values(edition.bets).flatMap((bet) => bet.pays), ...edition.insurance]) {
        expect(oddsText(row.odds, "{won} to {staked}")).toBe(row.said);
      }
    }
  });
});

test("a bet's limits are those that the house says", () => {
  const bets = { tie: { minimum: "5.00", maximum: "500.00" }, other: { minimum: "0.00", maximum: null } };
  const limits = { minimum: "50.00", maximum: "5000.00", maximum_differential: "9000.00", bets, scope: "box" };
  expect(limitsOf(limits, "tie")).toEqual({ minimum: 500, maximum: 50_000 });
  expect(limitsOf(limits, "other")).toEqual({ minimum: 0, maximum: null });
});

describe("chips", () => {
  test("the tray begins at the minimum and ends under the maximum", () => {
    expect(tray(1_000, 500_000)).toEqual([1_000, 2_500, 5_000, 10_000, 50_000, 100_000]);
    expect(tray(500, 10_000)).toEqual([500, 1_000, 2_500, 5_000, 10_000]);
    expect(tray(30_000, 10_000_000)[0]).toBe(10_000);
    expect(tray(1, 50)).toEqual([100]);
  });

  test("there is a chip below an amount, and none below the smallest", () => {
    expect([chipBelow(1_000), chipBelow(1_100), chipBelow(100)]).toEqual([500, 1_000, 100]);
  });

  test("a stack adds up to its amount", () => {
    for (const value of [0, 500, 12_345_00, 99_999_99, 7_77]) {
      const { chips, rest } = split(value);
      expect(chips.reduce((sum, chip) => sum + chip, 0) + rest).toBe(value);
      expect([...chips].sort((a, b) => b - a)).toEqual(chips);
      expect(rest).toBeLessThan(100);
    }
  });
});

describe("roads are drawn as the house computed them", () => {
  const boards = roads as unknown as Record<string, RoadsAnswer>;

  test.each(Object.keys(boards))("%s", (results) => {
    const answer = boards[results]!;
    expect(cells(answer.bead, 1000).map((cell) => cell.mark).sort()).toEqual([...results].sort());
    expect(count(results).player + count(results).banker + count(results).tie).toBe(results.length);
  });

  test("the window keeps the newest columns in sight", () => {
    const rows = ["ABCDEFGH", "abc....."];
    expect(firstColumn(rows, 3)).toBe(5);
    expect(cells(rows, 3)).toEqual([
      { column: 0, row: 0, mark: "F" },
      { column: 1, row: 0, mark: "G" },
      { column: 2, row: 0, mark: "H" },
    ]);
  });
});
