import { expect, test } from "vitest";
import { addressOf, idsOf, part } from "../src/several/ids";

test.each([
  ["tables=a,b", ["a", "b"]],
  ["tables=a,a,b,c,d,e", ["a", "b", "c", "d"]],
  ["tables=A%20B,..%2Fx,a", ["a"]],
  ["", []],
])("%s names %o", (query, ids) => {
  expect(idsOf(new URLSearchParams(query))).toEqual(ids);
  expect(idsOf(new URLSearchParams(addressOf(ids).split("?")[1]))).toEqual(ids);
});

test("a wallet is shared out over the tables that wait for chips, in whole units", () => {
  expect([1, 2, 3, 4].map((waiting) => part(1_000_000, waiting))).toEqual([1_000_000, 500_000, 333_300, 250_000]);
  expect(part(0, 3)).toBe(0);
});
