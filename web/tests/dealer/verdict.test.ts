import { describe, expect, it } from "vitest";
import { handPoints, pointsText, verdicts } from "../../src/dealer/verdict";
import type { TableOfPlay } from "../../src/lib/reference.svelte";

/** The grid of the Tiger Buffalo editions, as the reference data gives it. */
const play: TableOfPlay = {
  player: [true, true, true, true, true, true, false, false, false, false],
  banker: [
    Array(10).fill(true),
    Array(10).fill(true),
    Array(10).fill(true),
    [true, true, true, true, true, true, true, true, false, true],
    [false, false, true, true, true, true, true, true, false, false],
    [false, false, false, false, true, true, true, true, false, false],
    [false, false, false, false, false, false, true, true, false, false],
    Array(10).fill(false),
    Array(10).fill(false),
    Array(10).fill(false),
  ],
  banker_alone: [true, true, true, true, true, true, false, false, false, false],
  naturals: [8, 9],
  player_cite: "3.15",
  banker_cite: "3.15",
  alone_cite: "3.13",
};

const last = (cards: Record<string, string | null>) => verdicts(play, cards).at(-1);

describe("the Table of Play's verdict", () => {
  it("deals four cards first", () => {
    expect(last({})).toEqual({ says: "deal" });
    expect(last({ P1: "KH", B1: "2S", P2: "7D" })).toEqual({ says: "deal" });
  });

  it("waits for cards that lie face down", () => {
    expect(last({ P1: "KH", B1: null, P2: "7D", B2: "3C" })).toEqual({ says: "turn" });
    expect(last({ P1: "KH", B1: "2S", P2: "2D", B2: "3C", P3: null })).toEqual({ says: "turn" });
  });

  it("ends with a natural", () => {
    expect(last({ P1: "KH", B1: "2S", P2: "8D", B2: "3C" })).toMatchObject({ says: "natural", points: 8 });
  });

  it("lets the Player draw before the Banker is judged", () => {
    expect(last({ P1: "KH", B1: "2S", P2: "5D", B2: "3C" })).toMatchObject({ says: "player-draws", points: 5 });
  });

  it("judges the Banker alone when the Player stood", () => {
    expect(verdicts(play, { P1: "KH", B1: "2S", P2: "7D", B2: "3C" })).toEqual([
      { says: "player-stands", points: 7, paragraph: "3.15" },
      { says: "banker-draws", points: 5, paragraph: "3.13" },
    ]);
  });

  it("judges the Banker against the third card", () => {
    const dealt = { P1: "KH", B1: "2S", P2: "2D", B2: "4C" };
    expect(last({ ...dealt, P3: "6S" })).toMatchObject({ says: "banker-draws", points: 6, third: 6 });
    expect(last({ ...dealt, P3: "KS" })).toMatchObject({ says: "banker-stands", points: 6, third: 0 });
  });

  it("is done once the Banker has drawn", () => {
    expect(last({ P1: "KH", B1: "2S", P2: "7D", B2: "3C", B3: "4H" })).toEqual({ says: "done" });
  });

  it("counts points", () => {
    expect(handPoints(["KH", "7D"])).toBe(7);
    expect(handPoints(["9H", "7D", "5S"])).toBe(1);
    expect(handPoints(["TH", "AD"])).toBe(1);
    expect(handPoints([])).toBe(0);
    expect(pointsText(["KH", "7D"])).toBe("7");
    expect(pointsText(["KH", null])).toBe("–");
    expect(pointsText([])).toBe("–");
  });
});
