import { describe, expect, test } from "vitest";
import type { Frame } from "../src/lib/live";
import { cents } from "../src/lib/money";
import type { Edition } from "../src/lib/reference.svelte";
import type { OnOffer, View } from "../src/lib/shapes";
import { counted, ENDINGS, insuranceNet, part, preview, type Ending } from "../src/table/insurance";
import editions from "./fixtures/editions.json";
import rounds from "./fixtures/rounds.json";

const books = editions as unknown as Record<string, Edition>;
type Told = Extract<Frame, { frame: "events" }>;
const recorded = rounds as unknown as Record<string, Told[]>;
const seen = (frame: Told): View => ({ ...frame.view!, ...frame.mine });

describe("the preview is what the house settles", () => {
  const names = Object.keys(recorded).filter((name) => name.startsWith("insurance"));

  test.each(names)("%s", (name) => {
    let offers = new Map<string, { offer: OnOffer; stake: number }>();
    let checked = 0;
    for (const frame of recorded[name]!) {
      const view = seen(frame);
      for (const one of view.insurance ?? []) {
        const offer = view.on_offer?.bet === one.bet && view.on_offer.after === one.after ? view.on_offer : offers.get(one.insurance)?.offer;
        if (offer) offers.set(one.insurance, { offer, stake: cents(one.stake) });
      }
      if (view.phase !== "settled" || !view.winner || !view.lines?.length) continue;
      const edition = books[view.edition]!;
      const ending = view.winner as Ending;
      let insured = 0;
      for (const line of view.lines) {
        const taken = offers.get(line.wager);
        if (!taken) continue;
        const net = cents(line.handed_back) - cents(line.stake);
        expect(insuranceNet(edition, taken.offer, taken.stake, ending)).toBe(net);
        insured += net;
        checked += 1;
      }
      const first = [...offers.values()][0]!;
      const main = view.lines.filter((one) => edition.bets[one.bet]?.main || one.bet === "tie");
      const real = main.reduce((sum, one) => sum + cents(one.handed_back) - cents(one.stake), 0);
      const without = preview(edition, first.offer, 0, view.wagers ?? [], ending);
      expect(real).toBeGreaterThanOrEqual(without.low);
      expect(real).toBeLessThanOrEqual(without.high);
      const own = insuranceNet(edition, first.offer, first.stake, ending);
      const withIt = preview(edition, first.offer, first.stake, view.wagers ?? [], ending);
      expect(withIt).toEqual({ low: without.low + own, high: without.high + own });
      offers = new Map();
    }
    expect(checked).toBeGreaterThan(0);
  });
});

test("insurance pays when its hand loses, is lost when it wins, and comes back on a plain tie", () => {
  const [, edition] = Object.entries(books).find(([, one]) => one.insurance.some((row) => row.tie_pays))!;
  for (const row of edition.insurance) {
    const offer: OnOffer = { bet: row.bet, after: row.after, odds: row.odds, paragraph: row.paragraph, player_points: row.player_points[0]!, banker_points: row.banker_points[0]! };
    const nets = Object.fromEntries(ENDINGS.map((one) => [one, insuranceNet(edition, offer, 10_000, one)]));
    const hand = row.bet.startsWith("player") ? "player" : "banker";
    const other = hand === "player" ? "banker" : "player";
    expect(nets[hand]).toBe(-10_000);
    expect(nets[other]).toBeGreaterThan(0);
    expect(nets.tie).toBe(row.tie_pays ? nets[other] : 0);
  }
});

test("a quarter, a half and all of what may be staked", () => {
  expect([part(100_000, 1), part(100_000, 2), part(100_000, 4)]).toEqual([25_000, 50_000, 100_000]);
  expect([part(66_666, 1), part(66_666, 2), part(66_666, 4)]).toEqual([16_600, 33_300, 66_666]);
  expect(part(150, 1)).toBe(37);
  expect(part(0, 4)).toBe(0);
});

test("the preview counts what the winner decides; other side bets are left out", () => {
  for (const edition of Object.values(books)) {
    const inside = Object.keys(edition.bets).filter((bet) => counted(edition, bet));
    expect(inside.sort()).toEqual(["banker", "player", "tie"]);
  }
});
