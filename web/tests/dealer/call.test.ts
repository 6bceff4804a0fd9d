import { afterEach, expect, it } from "vitest";
import { called } from "../../src/dealer/call";
import { room } from "../../src/words/room.svelte";

afterEach(() => void (room.language = "en"));

const result = { event: "round-settled", player_points: 7, banker_points: 9, winner: "banker", says: "Player 7, Banker 9, Banker wins" };
const CALLS = [
  { event: "betting-opened", says: "Faites vos jeux" },
  { event: "betting-closed", says: "No more Bets" },
  result,
  { ...result, player_points: 6, banker_points: 6, winner: "tie", says: "Player 6, Banker 6, a tie" },
];

it("leaves English calls as they were made", () => {
  for (const call of CALLS) expect(called(call)).toBe(call.says);
});

it("gives them in Chinese from the facts of the event, whatever the words were", () => {
  room.language = "zh-Hant";
  expect(CALLS.map(called)).toEqual(["請下注", "停止下注", "閒 7，庄 9，庄贏", "閒 6，庄 6，和局"]);
});

it("says nothing of an event at which nothing is called", () => {
  expect(called({ event: "card-drawn" })).toBe("");
});
