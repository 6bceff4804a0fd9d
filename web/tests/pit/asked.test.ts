import { afterEach, describe, expect, it } from "vitest";
import { asked } from "../../src/pit/asked";
import { room } from "../../src/words/room.svelte";

const bet = (id: string) => id;
const PLAIN = { by: "sam", reconstruct: true, order: [], card: null, replace_cards: false, end_shoe: false, skip: 0, action: "", keep_side_bets: false, patrons: [], void_rounds: [], pay: {} };
const late = (command: object, kind = "discretion") => ({
  table: "t4",
  command: { ...PLAIN, do: "decide-irregularity", reason: "the camera shows it", ...command },
  irregularity: { kind, paragraph: "5.23", cause: null, round: 1, place: null, after: null, insurance: null, hands: null },
  current: 2,
});

describe("what a second person reads before he approves", () => {
  afterEach(() => void (room.language = "en"));

  it("names a ruling in words", () => {
    expect(asked(late({ action: "pay", pay: { ann: "1250.00" } }), bet)).toEqual([
      ["Table", "t4"],
      ["Round in play", "2"],
      ["What happened", "Anything else, round 1"],
      ["§", "5.23"],
      ["The ruling", "The house pays"],
      ["Pay to ann", "1,250.00"],
      ["Reason, on record", "the camera shows it"],
    ]);
  });

  it("says whether cards can be reconstructed where that is ruled, and always when they can't", () => {
    const ruling = (what: object) => asked(what as Record<string, unknown>, bet).filter(([label]) => label === "The ruling").map(([, value]) => value);
    expect(ruling(late({}, "late-table-of-play"))).toEqual(["The cards can be reconstructed"]);
    expect(ruling(late({ reconstruct: false }, "late-table-of-play"))).toEqual(["They can't: void, or go on as they lie"]);
    expect(ruling(late({ action: "void" }))).toEqual(["The round is void"]);
  });

  it("tells chips that are found late, an adjustment and a rank", () => {
    const chips = { table: "t4", command: { do: "report-chips", by: "sam", patron: "ann", box: 2, bet: "tie", stake: "50.00" }, irregularity: null, current: 3 };
    expect(asked(chips, () => "Tie")).toContainEqual(["Chips found", "ann · box 2 · Tie · 50"]);
    expect(asked({ person: "ann", cents: "-50.50", reason: "paid twice" }, bet)).toContainEqual(["Amount", "−50.50"]);
    expect(asked({ person: "bob", role: "pit-manager", was: "dealer" }, bet)).toEqual([["Person", "bob"], ["Rank until now", "Dealer"], ["Rank", "Pit Manager"]]);
  });

  it("hides no field that it has no word for", () => {
    expect(asked({ person: "ann", newer: ["x"] }, bet)).toContainEqual(["newer", '["x"]']);
  });

  it("has no English in Chinese but names and what people wrote", () => {
    room.language = "zh-Hant";
    const lines = asked(late({ action: "void", keep_side_bets: true, reason: "–" }), bet);
    expect(lines.flat().filter((one) => one !== "t4").join(" ")).not.toMatch(/[A-Za-z]/);
  });
});
