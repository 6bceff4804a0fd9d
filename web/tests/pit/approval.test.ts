import { afterEach, describe, expect, it } from "vitest";
import { approvalLines } from "../../src/pit/approval";
import type { Edition, Field } from "../../src/lib/reference.svelte";
import { room } from "../../src/words/room.svelte";

const bet = (id: string) => id;
const field = (name: string, type: string, holds: string | null = null): Field => ({ name, type, holds, choices: [], needed: false, stands: false, short: false });
const fields = [field("order", "list-of-text", "card"), field("keep_side_bets", "flag"), field("pay", "amounts", "patron"), field("patrons", "list-of-text", "patron")];
const rules = { kinds: [{ rulings: [{ fields }] }] } as unknown as Edition;
const PLAIN = { by: "sam", reconstruct: null, order: null, card: null, replace_cards: null, skip: null, action: null, keep_side_bets: null, patrons: null, pay: null };
const late = (command: object, kind = "discretion") => ({
  table: "t4",
  command: { ...PLAIN, do: "decide-irregularity", reason: "the camera shows it", ...command },
  irregularity: { kind, paragraph: "5.23", cause: null, round: 1, place: null, after: null, insurance: null, hands: null },
  current: 2,
});

describe("what a second person reads before they approve", () => {
  afterEach(() => void (room.language = "en"));

  it("names a ruling in words", () => {
    expect(approvalLines(late({ action: "pay", pay: { ann: "1250.00" } }), rules, bet)).toEqual([
      ["Table", "t4"],
      ["Round in play", "2"],
      ["What happened", "Anything else, round 1"],
      ["§", "5.23"],
      ["The ruling", "The house pays"],
      ["Pay to ann", "1,250.00"],
      ["Reason, on record", "the camera shows it"],
    ]);
  });

  it("says whether cards can be reconstructed where that is ruled", () => {
    const ruling = (what: object) => approvalLines(what as Record<string, unknown>, rules, bet).filter(([label]) => label === "The ruling").map(([, value]) => value);
    expect(ruling(late({ reconstruct: true }, "late-table-of-play"))).toEqual(["The cards can be reconstructed"]);
    expect(ruling(late({ reconstruct: false }, "late-table-of-play"))).toEqual(["They can't: void, or go on as they lie"]);
    expect(ruling(late({ action: "void" }))).toEqual(["The round is void"]);
  });

  it("tells chips that are found late, an adjustment and a rank", () => {
    const chips = { table: "t4", command: { do: "report-chips", by: "sam", patron: "ann", box: 2, bet: "tie", stake: "50.00" }, irregularity: null, current: 3 };
    expect(approvalLines(chips, rules, () => "Tie")).toContainEqual(["Chips found", "ann · box 2 · Tie · 50"]);
    expect(approvalLines({ person: "ann", cents: "-50.50", reason: "paid twice" }, rules, bet)).toContainEqual(["Amount", "−50.50"]);
    expect(approvalLines({ person: "bob", role: "pit-manager", was: "dealer" }, rules, bet)).toEqual([["Person", "bob"], ["Rank until now", "Dealer"], ["Rank", "Pit Manager"]]);
  });

  it("tells a field of a ruling by its type in the rows", () => {
    const lines = approvalLines(late({ order: ["KH", "2S"], patrons: ["ann", "bob"], keep_side_bets: false }), rules, bet);
    expect(lines).toContainEqual(["The order in which the cards came", "K♥ 2♠"]);
    expect(lines).toContainEqual(["Who meant to insure", "ann, bob"]);
    expect(lines.map(([label]) => label)).not.toContain("The ruling");
  });

  it("hides no field that it has no word for", () => {
    expect(approvalLines({ person: "ann", newer: ["x"] }, rules, bet)).toContainEqual(["newer", '["x"]']);
  });

  it("has no English in Chinese but names and what people wrote", () => {
    room.language = "zh-Hant";
    const lines = approvalLines(late({ action: "void", keep_side_bets: true, reason: "–" }), rules, bet);
    expect(lines.flat().filter((text) => text !== "t4").join(" ")).not.toMatch(/[A-Za-z]/);
  });
});
