import { afterEach, expect, it } from "vitest";
import { called } from "../../src/dealer/call";
import { room } from "../../src/words/room.svelte";

afterEach(() => void (room.language = "en"));

const CALLS = ["Place your Bets, please", "No more Bets", "Player 7, Banker 9, Banker wins", "Player 6, Banker 6, a tie"];

it("leaves English calls as they were made", () => {
  for (const one of CALLS) expect(called(one)).toBe(one);
});

it("gives them in Chinese, and leaves one that it does not know", () => {
  room.language = "zh-Hant";
  expect(CALLS.map(called)).toEqual(["請下注", "停止下注", "閒 7，庄 9，庄贏", "閒 6，庄 6，和局"]);
  expect(called("Cards are out")).toBe("Cards are out");
});
