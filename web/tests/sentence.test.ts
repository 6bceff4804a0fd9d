import { afterEach, describe, expect, test } from "vitest";
import { problem } from "../src/lib/api";
import type { Edition } from "../src/lib/reference.svelte";
import { LANGUAGES, room } from "../src/words/room.svelte";
import { sentence } from "../src/table/sentence";
import editions from "./fixtures/editions.json";

const edition = Object.values(editions as unknown as Record<string, Edition>).find((one) => one.bets.tiger_pair)!;
const said = (code: string, detail: string): string => sentence(problem({ code, detail }), edition);

afterEach(() => {
  room.language = "en";
});

const OVER = "the maximum on tiger_pair in box 2 leaves room for 5.00, under what must be staked";

describe("a refusal in the page's own words", () => {
  test.each([
    ["over-maximum", OVER, "Tiger Pair: the maximum leaves room for 5.00, less than must be staked."],
    ["no-more-bets", "the round is closed", "No more Bets: this round is closed."],
    ["box-in-use", "wagers lie in box 3", "Wagers lie in box 3: the seat is yours until they are settled."],
    ["no-such-wager", "guest-7 has no wager on banker in box 2", "Banker: you have no wager there."],
  ])("%s", (code, detail, text) => {
    expect(said(code, detail)).toBe(text);
  });

  test.each(LANGUAGES.slice(1))("in %s no English word and no id is left", (language) => {
    room.language = language;
    expect(said("over-maximum", OVER)).toMatch(/^老虎\p{Script=Han}+：\P{Script=Latin}+$/u);
  });
});

describe("the house's own sentence", () => {
  test("calls bets by their names", () => {
    expect(said("something-new", "no tiger_pair for guest_7 now")).toBe("No Tiger Pair for guest_7 now.");
  });

  test("stands in where the page does not know what its words speak of", () => {
    expect(said("seat-taken", "that one is taken")).toBe("That one is taken.");
    expect(sentence(problem({ code: "over-maximum", detail: OVER }))).toBe(`T${OVER.slice(1)}.`);
  });
});
