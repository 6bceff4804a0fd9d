import { describe, expect, it } from "vitest";
import { keyed, moved, shifted, without, type Rows } from "../../src/pit/rows";

const rows: Rows = [["KH", "7D", "2S"], ["3C", "4H"]];

describe("cards put into order", () => {
  it("drops a card before the place it is held over", () => {
    expect(moved(rows, { row: 0, at: 0 }, { row: 0, at: 2 })).toEqual([["7D", "KH", "2S"], ["3C", "4H"]]);
    expect(moved(rows, { row: 0, at: 2 }, { row: 0, at: 0 })).toEqual([["2S", "KH", "7D"], ["3C", "4H"]]);
    expect(moved(rows, { row: 0, at: 0 }, { row: 0, at: 3 })).toEqual([["7D", "2S", "KH"], ["3C", "4H"]]);
    expect(moved(rows, { row: 0, at: 0 }, { row: 0, at: 0 })).toEqual(rows);
  });

  it("drops it in the other row", () => {
    expect(moved(rows, { row: 0, at: 1 }, { row: 1, at: 2 })).toEqual([["KH", "2S"], ["3C", "4H", "7D"]]);
    expect(moved(rows, { row: 1, at: 0 }, { row: 0, at: 1 })).toEqual([["KH", "3C", "7D", "2S"], ["4H"]]);
  });

  it("changes nothing where there is no card or no row", () => {
    expect(moved(rows, { row: 0, at: 9 }, { row: 0, at: 0 })).toEqual(rows);
    expect(moved(rows, { row: 0, at: 0 }, { row: 5, at: 0 })).toEqual(rows);
  });

  it("moves by keys: along the row, and to the other one", () => {
    const right = keyed(rows, { row: 0, at: 0 }, "ArrowRight")!;
    expect(right).toEqual({ row: 0, at: 1 });
    expect(shifted(rows, { row: 0, at: 0 }, right)).toEqual([["7D", "KH", "2S"], ["3C", "4H"]]);
    const left = keyed(rows, { row: 0, at: 2 }, "ArrowLeft")!;
    expect(shifted(rows, { row: 0, at: 2 }, left)).toEqual([["KH", "2S", "7D"], ["3C", "4H"]]);
    const down = keyed(rows, { row: 0, at: 2 }, "ArrowDown")!;
    expect(shifted(rows, { row: 0, at: 2 }, down)).toEqual([["KH", "7D"], ["3C", "4H", "2S"]]);
    expect(keyed(rows, { row: 0, at: 0 }, "ArrowLeft")).toBeNull();
    expect(keyed(rows, { row: 1, at: 1 }, "ArrowRight")).toBeNull();
    expect(keyed(rows, { row: 1, at: 0 }, "ArrowDown")).toBeNull();
    expect(keyed(rows, { row: 0, at: 0 }, "a")).toBeNull();
  });

  it("takes a card out", () => expect(without(rows, { row: 1, at: 0 })).toEqual([["KH", "7D", "2S"], ["4H"]]));
});
