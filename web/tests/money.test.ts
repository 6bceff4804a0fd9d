import { describe, expect, test } from "vitest";
import { amount, cents, chipText, oddsText, shown, signed } from "../src/lib/money";
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
