import { describe, expect, test } from "vitest";
import { lying, misread } from "../../src/dealer/misread";
import type { Edition, Field, Kind } from "../../src/lib/reference.svelte";
import type { View } from "../../src/lib/shapes";

const field = (name: string): Field => ({ name, type: "text", holds: null, choices: [], needed: false, stands: false, short: false });
const states = (says: Record<string, string>, reason_needed: boolean) => ({ remedy: "determine-value", says, unsaid: false, fields: [field("card")], reason_needed });
const kind = (name: string, fields: string[], rulings: Kind["rulings"] = []): Kind => ({ kind: name, paragraph: "9.9", decided_by: "pit-supervisor", phases: [], fields: fields.map(field), rulings });
const rules = (...kinds: Kind[]): Edition => ({ kinds }) as Edition;

function at(kinds: string[], cards: Record<string, string | null>): View {
  return { cards, can: [{ do: "report-irregularity", paragraph: null, choices: { kind: kinds } }] } as unknown as View;
}

const CARDS = { P1: "KH", B1: "2S", P2: "9D" };

describe("a card that was entered as another one", () => {
  test("the last card comes first, and one that lies face down is none", () => {
    expect(lying(at([], { ...CARDS, B2: null }))).toEqual(["P2", "B1", "P1"]);
  });

  test("its place is reported, and the ruling states the card", () => {
    const book = rules(kind("displays", ["shown"]), kind("damaged-card", ["place"], [states({}, false)]));
    expect(misread(at(["damaged-card", "displays"], CARDS), book, "P2", "6D", "n")).toEqual([
      { do: "report-irregularity", kind: "damaged-card", note: "n", place: "P2" },
      { do: "decide-irregularity", card: "6D" },
    ]);
  });

  test("where it is ruled by discretion, with its word and the reason", () => {
    const book = rules(kind("damaged-card", ["place"], [states({ action: "determine" }, true)]));
    expect(misread(at(["damaged-card"], CARDS), book, "P2", "6D", "n")?.[1]).toEqual({ do: "decide-irregularity", action: "determine", card: "6D", reason: "n" });
  });

  test("where no row is about a single card, both hands as they lie", () => {
    const book = rules(kind("wrong-dealing", ["player", "banker"]));
    expect(misread(at(["wrong-dealing"], CARDS), book, "P2", "6D", "n")).toEqual([
      { do: "report-irregularity", kind: "wrong-dealing", note: "n", player: ["KH", "6D"], banker: ["2S"] },
      { do: "decide-irregularity" },
    ]);
  });

  test("where the house hears no such report there is nothing to do", () => {
    expect(misread(at(["displays"], CARDS), rules(kind("damaged-card", ["place"], [states({}, false)])), "P2", "6D", "n")).toBeNull();
  });
});
