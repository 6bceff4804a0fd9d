import { describe, expect, it } from "vitest";
import { asNumber, colour, heat, heatMaps, span, type Offer } from "../../src/odds/heat";

function offer(bet: string, after: string, player: number, banker: number, edge: number): Offer {
  return {
    bet,
    after,
    player_points: player,
    banker_points: banker,
    odds: "3/2",
    reached: "1/100",
    won: "1/3",
    returned: "1/10",
    lost: "17/30",
    house_edge: edge,
    standard_deviation: 1,
    favours_patron: edge < 0,
    paragraph: "4.2",
  };
}

describe("heat maps", () => {
  const offers = [
    offer("player_insurance", "four-cards", 7, 5, 0.08),
    offer("player_insurance", "four-cards", 5, 4, 0.16),
    offer("player_insurance", "player-third", 9, 6, 0.12),
    offer("banker_insurance", "four-cards", 0, 4, 0.02),
  ];

  it("makes one map for each bet and moment", () => {
    const maps = heatMaps(offers);
    expect(maps.map((map) => [map.bet, map.after, map.count])).toEqual([
      ["player_insurance", "four-cards", 2],
      ["player_insurance", "player-third", 1],
      ["banker_insurance", "four-cards", 1],
    ]);
  });

  it("puts each offer at its points and nothing elsewhere", () => {
    const [first] = heatMaps(offers);
    expect(first!.cells[7]![5]!.house_edge).toBe(0.08);
    expect(first!.cells[5]![4]!.house_edge).toBe(0.16);
    expect(first!.cells.flat().filter((cell) => cell !== null)).toHaveLength(2);
    expect(first!.cells).toHaveLength(10);
    expect(first!.cells.every((row) => row.length === 10)).toBe(true);
  });

  it("has one scale for all maps", () => {
    const scale = span(offers);
    expect(scale).toEqual([0.02, 0.16]);
    expect(heat(0.02, scale)).toBe(0);
    expect(heat(0.16, scale)).toBe(1);
    expect(heat(0.09, scale)).toBeCloseTo(0.5);
    expect(heat(1, scale)).toBe(1);
    expect(heat(0.1, [0.1, 0.1])).toBe(0);
    expect(span([])).toEqual([0, 0]);
  });

  it("goes from cool to hot", () => {
    expect(colour(0)).toBe("rgb(11 94 104)");
    expect(colour(0.5)).toBe("rgb(122 88 18)");
    expect(colour(1)).toBe("rgb(163 18 43)");
    expect(colour(7)).toBe(colour(1));
  });

  it("reads fractions", () => {
    expect(asNumber("1/4")).toBe(0.25);
    expect(asNumber("2")).toBe(2);
  });
});
