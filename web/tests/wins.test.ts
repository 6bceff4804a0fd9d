import { describe, expect, test } from "vitest";
import type { Edition } from "../src/lib/reference.svelte";
import type { Box } from "../src/lib/shapes";
import { inAll, inAllSaid, winsSaid } from "../src/table/wins";
import { caseWords } from "../src/table/cases/words";
import { LANGUAGES, room } from "../src/words/room.svelte";
import editions from "./fixtures/editions.json";

const books = editions as unknown as Record<string, Edition>;
const bets = Object.entries(books).flatMap(([id, book]) => Object.entries(book.bets).map(([bet, rule]) => [id, bet, rule] as const));

describe("every bet of every edition says what wins", () => {
  test.each(bets)("%s %s", (_, __, rule) => {
    for (const row of rule.pays) expect(caseWords).toHaveProperty([row.case]);
    for (const language of LANGUAGES) {
      room.language = language;
      const text = winsSaid(rule);
      expect(text).not.toMatch(/\{\w+\}/);
      if (language !== "en") expect(text).not.toMatch(/[A-Za-z]/);
    }
    room.language = "en";
  });

  test("as a sentence", () => {
    const book = books["tiger-buffalo-non-commission/2025-11-21"]!;
    expect(winsSaid(book.bets.banker!)).toBe("Pays 1 to 2 if the Banker wins on 6, 1 to 1 if the Banker wins on other points; a tie returns the stake.");
    expect(winsSaid(book.bets.big_tiger!)).toBe("Pays 50 to 1 if the Banker wins on 6 with three cards.");
    const live = books["live-baccarat-insurance-commission/undated"]!;
    expect(winsSaid(live.bets.big!)).toBe("Pays 1 to 2 if five or six cards are dealt. In the first 30 hands of a shoe.");
  });
});

test("what lies on a bet in all", () => {
  const box = (stakes: Record<string, string>) => ({ stakes }) as unknown as Box;
  const boxes = [box({ player: "100.00", tie: "5.00" }), box({}), box({ player: "50.50" })];
  expect(inAll(boxes, "player")).toEqual({ sum: 15_050, count: 2 });
  expect(inAllSaid(inAll(boxes, "player"))).toBe("In all 150.50 on 2 boxes.");
  expect(inAllSaid(inAll(boxes, "tie"))).toBe("In all 5 on one box.");
  expect(inAll(boxes, "banker")).toEqual({ sum: 0, count: 0 });
});
