import { describe, expect, test } from "vitest";
import { match } from "../src/routes/router.svelte";
import { languageOf, LANGUAGES } from "../src/words/room.svelte";
import { say, type Words } from "../src/words/speak";
import { term } from "../src/words/terms";
import editions from "./fixtures/editions.json";

const modules = import.meta.glob<Record<string, unknown>>(["../src/**/words.ts", "../src/**/*.words.ts", "../src/words/shared.ts"], { eager: true });
const everything = Object.entries(modules).flatMap(([file, module]) => Object.entries(module).map(([name, words]) => [`${file} ${name}`, words as Words] as const));

describe("every word is there in three languages", () => {
  test.each(everything)("%s", (_, words) => {
    for (const [key, said] of Object.entries(words)) {
      expect(said, key).toHaveLength(LANGUAGES.length);
      const names = said.map((text) => [...text.matchAll(/\{(\w+)\}/g)].map((slot) => slot[1]).sort());
      for (const text of said) expect(text, key).not.toBe("");
      expect(names[1], key).toEqual(names[0]);
      expect(names[2], key).toEqual(names[0]);
      expect(said.join(), key).not.toMatch(/[!！]/);
    }
  });

  test("the pages' words are among them", () => {
    expect(everything.length).toBeGreaterThanOrEqual(5);
  });
});

test("values are put in, and a missing one is left to be seen", () => {
  const words = { hello: ["{a} and {b}", "{b}{a}", "{b}{a}"] } as const;
  expect(say(words, "en", "hello", { a: 1, b: "two" })).toBe("1 and two");
  expect(say(words, "zh-Hans", "hello", { a: 1 })).toBe("{b}1");
});

test("a browser's wish becomes one of ours", () => {
  expect(["en-GB", "zh", "zh-CN", "zh-TW", "zh-Hant-HK", "de"].map(languageOf)).toEqual(["en", "zh-Hans", "zh-Hans", "zh-Hant", "zh-Hant", "en"]);
});

describe("names of bets", () => {
  const names = [...new Set(Object.values(editions).flatMap((edition) => Object.values(edition.bets).map((bet) => bet.name)))];

  test.each(names)("%s has a Chinese name", (name) => {
    for (const language of ["zh-Hant", "zh-Hans"] as const) expect(term(name, language)).not.toMatch(/[A-Za-z]/);
    expect(term(name, "en")).toBe(name);
  });

  test("the source's own names are used", () => {
    expect(term("Player", "zh-Hant")).toBe("閒");
    expect(term("Banker Pair", "zh-Hant")).toBe("庄對");
    expect(term("Banker Small 7", "zh-Hans")).toBe("庄小7");
  });
});

test("addresses", () => {
  expect(match("/tables/:id", "/tables/a%20b")).toEqual({ id: "a b" });
  expect(match("/tables/:id", "/tables/a/pit")).toBeNull();
  expect(match("/", "/")).toEqual({});
  expect(match("/rules/:game/:edition", "/rules/x/y/")).toEqual({ game: "x", edition: "y" });
});
