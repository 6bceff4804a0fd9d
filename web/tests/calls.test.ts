import { describe, expect, test } from "vitest";
import { Caller } from "../src/calls/calls";
import type { View } from "../src/lib/shapes";
import { phaseSaid } from "../src/table/phase";
import { room, type Language } from "../src/words/room.svelte";

type Step = NonNullable<View["drawing"]>[number];
const step = (says: string, points?: number): Step => ({ says, points: points ?? null });
const seen = (phase: string, more: Partial<View> = {}): View =>
  ({ phase, round: 1, cards: {}, winner: null, drawing: [], on_offer: null, ...more }) as View;
const FOUR = { P1: "KH", B1: "2S", P2: "5D", B2: "3C" };
const round: [view: View, en: string, hant: string][] = [
  [seen("betting"), "Place your Bets, please", "請下注"],
  [seen("dealing", { drawing: [step("deal")] }), "No more Bets", "停止下注"],
  [seen("dealing", { drawing: [step("deal")], cards: { P1: "KH" } }), "Cards are dealt", "正在派牌"],
  [seen("dealing", { drawing: [step("turn")], cards: FOUR }), "Cards are turned", "正在開牌"],
  [seen("dealing", { drawing: [step("player-draws", 5)], cards: FOUR }), "Player draws", "閒補牌"],
  [seen("dealing", { drawing: [step("player-draws", 5), step("banker-draws", 5)], cards: FOUR }), "Banker draws", "庄補牌"],
  [seen("complete", { drawing: [step("player-draws", 5), step("banker-stands", 7)], cards: FOUR }), "Banker stands on 7", "庄 7 點不補"],
  [seen("complete", { drawing: [step("natural", 9)], cards: FOUR }), "Natural 9", "例牌 9 點"],
  [seen("complete", { drawing: [step("player-draws", 5), step("banker-draws", 5), step("done")], cards: FOUR }), "Settling", "結算中"],
  [seen("settled", { winner: "banker", points: { player: 7, banker: 9 } }), "Banker wins", "庄贏"],
  [seen("settled", { winner: null }), "Round over, no result", "本局結束，無結果"],
  [seen("irregularity"), "Play is stopped", "牌局暫停"],
];

function inLanguage<T>(language: Language, read: () => T): T {
  room.language = language;
  try {
    return read();
  } finally {
    room.language = "en";
  }
}

test.each(round)("what happens now: %#", (view, en, hant) => {
  expect(phaseSaid(view)).toBe(en);
  expect(inLanguage("zh-Hant", () => phaseSaid(view))).toBe(hant);
});

describe("what is called", () => {
  test("each thing once, in the order of play, and nothing of what lay there before", () => {
    const caller = new Caller();
    expect(caller.hear(seen("ready", { round: 0 }))).toEqual([]);
    expect(caller.hear(seen("betting"))).toEqual(["Place your Bets, please"]);
    expect(caller.hear(seen("betting"))).toEqual([]);
    expect(caller.hear(seen("dealing", { drawing: [step("deal")] }))).toEqual(["No more Bets"]);
    const steps = [step("player-stands", 7), step("banker-draws", 5)];
    const offer = { bet: "player_insurance", after: "four-cards", odds: "4", player_points: 7, banker_points: 5, paragraph: "" } as View["on_offer"];
    expect(caller.hear(seen("offer", { drawing: steps, on_offer: offer }))).toEqual(["Player stands on 7", "Banker draws", "Insurance on Player 7"]);
    expect(caller.hear(seen("irregularity"))).toEqual([]);
    expect(caller.hear(seen("dealing", { drawing: steps }))).toEqual([]);
    expect(caller.hear(seen("settled", { winner: "banker", points: { player: 7, banker: 9 } }))).toEqual(["Player 7, Banker 9, Banker wins"]);
    expect(caller.hear(seen("betting", { round: 2 }))).toEqual(["Place your Bets, please"]);
  });

  test("whoever comes in the middle of a round hears what follows", () => {
    const caller = new Caller();
    expect(caller.hear(seen("dealing", { drawing: [step("player-draws", 5)] }))).toEqual([]);
    expect(caller.hear(seen("dealing", { drawing: [step("player-draws", 5), step("banker-stands", 6)] }))).toEqual(["Banker stands on 6"]);
  });
});
