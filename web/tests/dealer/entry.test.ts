import { describe, expect, it } from "vitest";
import { EMPTY, amountOf, cardOf, cardsOf, complete, press, type Entry } from "../../src/dealer/entry";

function typed(keys: string[]): Entry {
  return keys.reduce((entry, key) => press(entry, key) ?? entry, EMPTY);
}

describe("card entry", () => {
  it.each([
    [["k", "h"], "KH"],
    [["h", "k"], "KH"],
    [["7", "D"], "7D"],
    [["1", "0", "s"], "TS"],
    [["0", "c"], "TC"],
    [["t", "c"], "TC"],
    [["a", "s"], "AS"],
  ])("%j is %s", (keys, card) => expect(complete(typed(keys))).toBe(card));

  it("is not complete with half a card", () => {
    expect(complete(typed(["k"]))).toBeNull();
    expect(complete(typed(["h"]))).toBeNull();
    expect(complete(typed(["h", "1"]))).toBeNull();
  });

  it("keeps the card that is typed when another rank or suit comes, and says why", () => {
    expect(typed(["5", "q"])).toMatchObject({ rank: "5", wrong: { key: "Q", why: "rank" } });
    expect(complete(typed(["k", "h", "s"]))).toBe("KH");
    expect(typed(["k", "h", "s"]).wrong).toEqual({ key: "S", why: "suit" });
    expect(complete(typed(["5", "q", "Backspace", "q", "h"]))).toBe("QH");
  });

  it("takes back what was typed last", () => {
    expect(typed(["k", "h", "Backspace"])).toMatchObject({ rank: "K", suit: null });
    expect(typed(["h", "k", "Backspace"])).toMatchObject({ rank: null, suit: "H" });
    expect(typed(["k", "h", "q", "Backspace"])).toMatchObject({ rank: "K", suit: null, wrong: null });
    expect(typed(["1", "Backspace"])).toEqual(EMPTY);
    expect(typed(["Backspace"])).toEqual(EMPTY);
    expect(typed(["k", "h", "Escape"])).toEqual(EMPTY);
  });

  it("says that a key is on no card", () => {
    expect(typed(["x"])).toEqual({ ...EMPTY, wrong: { key: "X", why: "no-key" } });
    expect(typed(["1", "h"])).toMatchObject({ ten: true, suit: null, wrong: { key: "H", why: "no-key" } });
    expect(typed(["x", "5"])).toMatchObject({ rank: "5", wrong: null });
  });

  it("leaves other keys to others", () => {
    expect(press(EMPTY, "Tab")).toBeNull();
    expect(press(EMPTY, " ")).toBeNull();
  });
});

describe("cards as text", () => {
  it.each([
    ["KH", "KH"],
    ["kh", "KH"],
    ["10d", "TD"],
    ["A♠", "AS"],
  ])("%s is %s", (text, card) => expect(cardOf(text)).toBe(card));

  it.each(["", "K", "HK", "1H", "KHH", "11H", "ZZ"])("%s is no card", (text) => expect(cardOf(text)).toBeNull());

  it("reads rows of cards in any spacing", () => {
    const row = { cards: ["KH", "TD", "2S"], wrong: [] };
    expect(cardsOf("KH 10D 2S")).toEqual(row);
    expect(cardsOf("kh,td;2s")).toEqual(row);
    expect(cardsOf(" KH10D2S ")).toEqual(row);
    expect(cardsOf("")).toEqual({ cards: [], wrong: [] });
  });

  it("says which words are no card", () => {
    expect(cardsOf("KH ZZ 2S")).toEqual({ cards: ["KH", "2S"], wrong: ["ZZ"] });
    expect(cardsOf("KH2")).toEqual({ cards: [], wrong: ["KH2"] });
  });
});

describe("amounts as people type them", () => {
  it.each([
    ["100", "100.00"],
    [" 1,250.5 ", "1250.50"],
    ["-12.50", "-12.50"],
    ["0.05", "0.05"],
  ])("%s is %s", (text, amount) => expect(amountOf(text)).toBe(amount));

  it.each(["", "ten", "1.234", "1e3", "--1"])("%s is no amount", (text) => expect(amountOf(text)).toBeNull());
});
