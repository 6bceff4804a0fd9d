import { afterEach, describe, expect, test } from "vitest";
import { problem } from "../src/lib/api";
import type { Edition } from "../src/lib/reference.svelte";
import { LANGUAGES, room } from "../src/words/room.svelte";
import { sentence } from "../src/table/sentence";
import editions from "./fixtures/editions.json";

const edition = Object.values(editions as unknown as Record<string, Edition>).find((book) => book.bets.tiger_pair)!;
const said = (code: string, facts: Record<string, string | number>, detail = "in English"): string =>
  sentence(problem({ code, detail, facts }), edition);

afterEach(() => {
  room.language = "en";
});

const OVER = { bet: "tiger_pair", box: 2, room: "5.00" };

describe("a refusal in the page's own words", () => {
  test.each([
    ["over-maximum", OVER, "Tiger Pair: the maximum leaves room for 5.00, less than must be staked."],
    ["no-more-bets", {}, "No more Bets: this round is closed."],
    ["box-in-use", { box: 3 }, "Wagers lie in box 3: the seat is yours until they are settled."],
    ["no-such-wager", { bet: "banker" }, "Banker: you have no wager there."],
  ])("%s", (code, facts, text) => {
    expect(said(code, facts)).toBe(text);
  });

  test.each(LANGUAGES.slice(1))("in %s no English word and no id is left", (language) => {
    room.language = language;
    expect(said("over-maximum", OVER)).toMatch(/^老虎\p{Script=Han}+：\P{Script=Latin}+$/u);
  });
});

test("the house's own sentence stands in where the page does not know what its words speak of", () => {
  expect(said("something-new", {}, "no such thing now")).toBe("No such thing now.");
  expect(said("seat-taken", {}, "that one is taken")).toBe("That one is taken.");
  expect(sentence(problem({ code: "over-maximum", detail: "too much", facts: OVER }))).toBe("Too much.");
});
