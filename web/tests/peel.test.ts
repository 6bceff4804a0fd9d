import { expect, test } from "vitest";
import { HEIGHT, hold, holdTowards, inward, peel, WIDTH, type Peeled, type Point } from "../src/cards/peel";

const seen = ({ mirror: [a, b, c, d, e, f] }: Peeled, { x, y }: Point): Point => ({ x: a * x + c * y + e, y: b * x + d * y + f });

test.each([
  [{ x: 3, y: 5 }, { x: 0, y: 0, corner: 0 }],
  [{ x: 96, y: 10 }, { x: 100, y: 0, corner: 1 }],
  [{ x: 95, y: 135 }, { x: 100, y: 140, corner: 2 }],
  [{ x: -4, y: 150 }, { x: 0, y: 140, corner: 3 }],
  [{ x: 8, y: 70 }, { x: 0, y: 70, corner: null }],
  [{ x: 95, y: 60 }, { x: 100, y: 60, corner: null }],
  [{ x: 50, y: 20 }, { x: 50, y: 0, corner: null }],
  [{ x: 45, y: 133 }, { x: 45, y: 140, corner: null }],
])("a finger at %o holds %o", (at, held) => {
  expect(hold(at)).toEqual(held);
});

test("keys reach every edge and corner, and each leads into the card", () => {
  const all = [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y) => [x, y] as const)).filter(([x, y]) => x || y);
  const places = all.map(([x, y]) => holdTowards(x, y));
  expect(new Set(places.map((place) => `${place.x},${place.y}`)).size).toBe(8);
  expect(places.filter((place) => place.corner !== null)).toHaveLength(4);
  for (const held of places) {
    const way = inward(held);
    const share = peel(held, { x: held.x + way.x * 40, y: held.y + way.y * 40 })!.share;
    expect(share).toBeGreaterThan(0.01);
    expect(share).toBeLessThan(0.3);
  }
});

test("the held point lies where the finger is, the fold stays where it was, and nothing is lost", () => {
  const chance = (i: number, of: number): number => ((i * 7919) % 1000) / 1000 * of;
  for (let i = 1; i < 200; i++) {
    const held = hold({ x: chance(i, WIDTH), y: chance(i * 3, HEIGHT) });
    const moved = { x: chance(i * 5, WIDTH * 1.6) - 30, y: chance(i * 11, HEIGHT * 1.6) - 40 };
    const now = peel(held, moved);
    if (!now) continue;
    const there = seen(now, held);
    expect(there.x).toBeCloseTo(moved.x);
    expect(there.y).toBeCloseTo(moved.y);
    expect(seen(now, now.from).x).toBeCloseTo(now.from.x);
    const other = peel(held, { x: held.x + (moved.x - held.x) * 0.9, y: held.y + (moved.y - held.y) * 0.9 });
    expect(other?.share ?? 0).toBeLessThanOrEqual(now.share + 1e-9);
    expect(now.share).toBeLessThanOrEqual(1 + 1e-9);
  }
});

test("from the lower edge to the upper one half the card is lifted; drawn away from the card nothing is", () => {
  const held = hold({ x: 50, y: 140 });
  expect(peel(held, { x: 50, y: 0 })!.share).toBeCloseTo(0.5);
  expect(peel(held, { x: 50, y: 200 })).toBeNull();
  expect(peel(held, { x: 50, y: 139.5 })).toBeNull();
});
