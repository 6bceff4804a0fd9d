import { describe, expect, it } from "vitest";
import { addressOf, cardsGone, goneOf, goneText, percent, rowsOf, ticks, type Sheet, type Worth } from "../../src/odds/sheet";

function worth(edge: number, deviation: number, wins: string): Worth {
  return {
    paragraph: "4.1.2",
    expectation: "0",
    house_edge: edge,
    standard_deviation: deviation,
    hit_frequency: wins,
    favours_patron: edge < 0,
    outcomes: [],
  };
}

function sheet(bets: Record<string, Worth>): Sheet {
  return { game: "g", edition: "e", decks: 8, cards: 416, coups: "1", removed: [], bets, insurance: [] };
}

describe("rows of the table", () => {
  const here = sheet({ banker: worth(0.0106, 0.93, "9/20"), tie: worth(0.1436, 2.6, "1/10"), player: worth(0.0124, 0.95, "89/200") });
  const bets = ["player", "tie", "banker", "unknown"];

  it("keeps the order of the layout, and leaves out what has no odds", () => {
    expect(rowsOf(here, bets, null, "layout").map((row) => row.bet)).toEqual(["player", "tie", "banker"]);
  });

  it("sorts cheapest, calmest and most frequent first", () => {
    expect(rowsOf(here, bets, null, "edge").map((row) => row.bet)).toEqual(["banker", "player", "tie"]);
    expect(rowsOf(here, bets, null, "deviation").map((row) => row.bet)).toEqual(["banker", "player", "tie"]);
    expect(rowsOf(here, bets, null, "wins").map((row) => row.bet)).toEqual(["banker", "player", "tie"]);
  });

  it("says what changed, and what is new", () => {
    const there = sheet({ banker: worth(0.0146, 0.9, "9/20"), player: worth(0.0124, 0.95, "89/200") });
    const change = Object.fromEntries(rowsOf(here, bets, there, "layout").map((row) => [row.bet, row.change]));
    expect(change.banker).toBeCloseTo(-0.004);
    expect(change.player).toBe(0);
    expect(change.tie).toBeUndefined();
    expect(rowsOf(here, bets, null, "layout")[0]!.change).toBeNull();
  });
});

describe("cards that are gone", () => {
  const ranks = ["8", "9", "T"];

  it("names them by suit in turn", () => {
    expect(cardsGone({ "8": 5, "9": 1 })).toEqual(["8S", "8H", "8D", "8C", "8S", "9S"]);
    expect(cardsGone({})).toEqual([]);
  });

  it("stands in the address and comes back", () => {
    expect(goneText({ "8": 4, "9": 0, T: 2 })).toBe("8:4,T:2");
    expect(goneOf("8:4,T:2", ranks, 32)).toEqual({ "8": 4, T: 2 });
    expect(goneOf("8:99,X:2,9:-1,T:x,", ranks, 32)).toEqual({ "8": 32 });
    expect(goneOf("", ranks, 32)).toEqual({});
  });
});

describe("axes and figures", () => {
  it("steps roundly and reaches past the end", () => {
    expect(ticks(0.16, 4)).toEqual([0, 0.05, 0.1, 0.15000000000000002, 0.2]);
    expect(ticks(10, 5)).toEqual([0, 2, 4, 6, 8, 10]);
    expect(ticks(0)).toEqual([0]);
    for (const most of [0.013, 0.7, 3.3, 17, 99]) expect(ticks(most).at(-1)!).toBeGreaterThanOrEqual(most - 1e-9);
  });

  it("writes shares as people do", () => {
    expect(percent(0.010579)).toBe("1.0579 %");
    expect(percent(-0.0345, 2)).toBe("−3.45 %");
  });
});

it("asks for a sheet by decks and removed cards only where they are chosen", () => {
  expect(addressOf("g/e", 0, [])).toBe("/api/odds/g/e");
  expect(addressOf("g/e", 6, ["AS", "TD"])).toBe("/api/odds/g/e?decks=6&removed=AS,TD");
});
