import { describe, expect, test } from "vitest";
import { amount, cents, chipText, oddsText, shown, signed, winnings } from "../src/lib/money";
import { shared } from "../src/words/shared";
import { say } from "../src/words/speak";

describe("amounts", () => {
  test.each([
    ["0", 0],
    ["0.1", 10],
    ["100.00", 10_000],
    ["-12.5", -1_250],
    ["9999999999999.99", 999_999_999_999_999],
  ])("%s is %i cents", (text, value) => {
    expect(cents(text)).toBe(value);
  });

  test.each(["", "1.234", "1e3", " 1", "1,000", "0x10", "NaN"])("%s is no amount", (text) => {
    expect(() => cents(text)).toThrow();
  });

  test("what is read is written", () => {
    for (const value of [0, 1, 99, 100, 10_005, 999_999_999_999_999, -250]) expect(cents(amount(value))).toBe(value);
  });

  test("people read groups of three and a true minus", () => {
    expect(shown(123_456_789)).toBe("1,234,567.89");
    expect(shown(-5_000)).toBe("−50.00");
    expect(shown(500_000, true)).toBe("5,000");
    expect(shown(500_050, true)).toBe("5,000.50");
    expect(signed(1)).toBe("+0.01");
    expect(signed(0)).toBe("0.00");
  });

  test.each([
    [500, "5"],
    [100_000, "1K"],
    [250_000, "2.5K"],
    [123_400, "1234"],
    [2_500_000, "25K"],
    [100_000_000, "1M"],
    [150, "1.50"],
  ])("a chip of %i cents says %s", (value, text) => {
    expect(chipText(value)).toBe(text);
  });
});

describe("winnings are exact", () => {
  test.each([
    [10_000, "19/20", 9_500],
    [10_000, "1", 10_000],
    [5_001, "1/2", 2_501], // half a cent goes to the patron (M1)
    [333, "19/20", 316], // 316.35
    [66_666, "3/2", 99_999],
    [1_000_000_000_000, "150", 150_000_000_000_000],
  ])("%i at %s", (stake, odds, won) => {
    expect(winnings(stake, odds)).toBe(won);
  });

  test("odds as tables print them", () => {
    expect(oddsText("3/2", say(shared, "en", "to"))).toBe("3 to 2");
    expect(oddsText("10", say(shared, "en", "to"))).toBe("10 to 1");
    expect(oddsText("1/2", say(shared, "zh-Hant", "to"))).toBe("2 賠 1");
    expect(oddsText("8", say(shared, "zh-Hans", "to"))).toBe("1 赔 8");
  });
});
