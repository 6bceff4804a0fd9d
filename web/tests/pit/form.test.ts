import { describe, expect, it } from "vitest";
import type { Field, Kind } from "../../src/lib/reference.svelte";
import { choicesOf, fieldWord, missing, entered, unread } from "../../src/pit/form";

const field = (name: string, more: Partial<Field> = {}): Field => ({ name, type: "text", holds: null, choices: [], needed: false, stands: false, short: false, ...more });
const ruling = (remedy: string, says: Record<string, boolean | string>, ...fields: Field[]) => ({ remedy, says, unsaid: Object.keys(says).length === 0, fields });
const kind = (...rulings: ReturnType<typeof ruling>[]): Kind => ({ kind: "unheard-of", paragraph: "9.9", decided_by: "pit-supervisor", phases: [], fields: [], rulings });
const MISTAKEN = ruling("unfounded", { action: "unfounded" });

describe("a form is made from rows that the page has never heard of", () => {
  it("puts rulings that are said alike into one choice, and a mistaken report last", () => {
    const choices = choicesOf(kind(MISTAKEN, ruling("melt", {}, field("wax", { needed: true })), ruling("void", {}), ruling("freeze", { cold: true })));
    expect(choices.map((choice) => [choice.label, choice.unsaid])).toEqual([["melt / the round is void", true], ["cold true", false], ["The report was mistaken", false]]);
    expect(choices[0]!.fields).toEqual([field("wax")]);
  });

  it("offers what is heard, and everything where the house does not say", () => {
    const rows = kind(MISTAKEN, ruling("melt", {}), ruling("void", { action: "void" }), ruling("freeze", { cold: true }));
    const heard = { action: ["unfounded"], cold: [true, false] };
    expect(choicesOf(rows, heard).map((choice) => choice.says)).toEqual([{}, { cold: true }, { action: "unfounded" }]);
    expect(choicesOf(rows)).toHaveLength(4);
  });

  it("needs a field that every ruling of a choice needs", () => {
    const [only] = choicesOf(kind(MISTAKEN, ruling("melt", { hot: true }, field("wax", { needed: true }))));
    expect(missing(only!.fields, {})?.name).toBe("wax");
    expect(missing(only!.fields, { wax: "red" })).toBeUndefined();
  });

  it("has no choice of its own for a ruling that takes what others are marked by", () => {
    const choices = choicesOf(kind(MISTAKEN, ruling("void", {}, field("cold", { type: "flag" })), ruling("freeze", { cold: true }), ruling("melt", { cold: false })));
    expect(choices.map((choice) => choice.says)).toEqual([{ cold: true }, { cold: false }, { action: "unfounded" }]);
  });

  it("sends what its fields say, and nothing that was typed into another form", () => {
    const fields = [field("wax"), field("wick")];
    expect(entered(fields, { wax: "red", wick: undefined, flame: 1 })).toEqual({ wax: "red" });
    expect(unread(fields, { wax: null })).toBe(true);
    expect(unread(fields, { flame: null })).toBe(false);
  });

  it("calls a field by its own word for a kind, by the common one, or by its name", () => {
    expect([fieldWord("count", "damaged-card"), fieldWord("count"), fieldWord("wax")]).toEqual(["Lost on the way from the shoe", "How many unseen cards", "wax"]);
  });
});
