import { afterEach, expect, test } from "vitest";
import { refusals, refused } from "../../src/dealer/refusals";
import { room } from "../../src/words/room.svelte";

afterEach(() => {
  room.language = "en";
});

test("every refusal has a word in both ways of writing Chinese", () => {
  for (const [code, [, hant, hans]] of Object.entries(refusals)) {
    expect(hant, code).toMatch(/^\P{ASCII}+。$/u);
    expect(hans, code).toMatch(/^\P{ASCII}+。$/u);
  }
});

test("in English the house says it itself", () => {
  expect(refused({ code: "not-on-duty", detail: "dan is not on duty at this table" })).toBe("dan is not on duty at this table");
});

test("in Chinese the page says it by its code", () => {
  room.language = "zh-Hant";
  expect(refused({ code: "not-on-duty", detail: "dan is not on duty at this table" })).toBe("你不在此枱當值。");
  room.language = "zh-Hans";
  expect(refused({ code: "wrong-rank", detail: "a Dealer may not" })).toBe("你的职级无权这样做。");
});

test("a code without a word leaves the house's sentence, one without a sentence its name", () => {
  room.language = "zh-Hant";
  expect(refused({ code: "quite-new", detail: "quite another reason" })).toBe("quite another reason");
  expect(refused({ code: "quite-new", detail: "" })).toBe("未能完成：quite-new");
});
