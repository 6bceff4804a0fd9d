import { describe, expect, it } from "vitest";
import { EMPTY, press, type Entry } from "../../src/dealer/entry";
import { byBox, nextOf, onEnter } from "../../src/dealer/next";
import type { Phase, Possible, View } from "../../src/lib/shapes";

/** A view in which these commands can be given. */
function view(phase: Phase, commands: (string | Partial<Possible>)[], change: Partial<View> = {}): View {
  const all = commands.map((command) => (typeof command === "string" ? { do: command } : command));
  return { phase, cards: {}, next_place: null, can: all, ...change } as View;
}

const DRAW = { do: "draw-card", enters: ["card"] };
const turn = (place: string, by?: string) => ({ do: "expose-card", choices: { place: [place], ...(by ? { by: [by] } : {}) }, enters: ["card"] });

describe("the next action", () => {
  it.each([
    ["no-shoe", ["end-duty", "load-shoe"], "load-shoe"],
    ["commencing", ["end-shoe", "burn"], "burn"],
    ["ready", ["end-shoe", "open-betting"], "open-betting"],
    ["betting", ["place-wager", "close-betting"], "close-betting"],
    ["complete", ["report-chips", "settle"], "settle"],
    ["settled", ["report-chips", "end-shoe"], "end-shoe"],
    ["options", ["choose-option", "resume-play"], "resume-play"],
    ["irregularity", ["decide-irregularity"], null],
    ["betting", ["start-duty"], "start-duty"],
    ["closed", ["open-table"], null],
  ] as const)("%s, of %s: %s", (phase, commands, command) => expect(nextOf(view(phase, [...commands])).do).toBe(command));

  it("leaves a virtual table to the house", () => {
    expect(nextOf(view("options", ["resume-play"], { source: "virtual" }))).toMatchObject({ is: "house", do: null });
  });

  it("draws to the next place and asks for the card where the house wants it", () => {
    expect(nextOf(view("dealing", [DRAW, turn("P1")], { next_place: "P2" }))).toEqual({ is: "draw", do: "draw-card", place: "P2", card: "needed" });
    expect(nextOf(view("dealing", ["draw-card"], { next_place: "B1" }))).toMatchObject({ is: "draw-down", card: "none" });
    const waiting = { is: "waiting", do: "draw-card", place: "P1", card: "none", waits: "2H" };
    expect(nextOf(view("dealing", ["draw-card"], { next_place: "P1", waiting: ["2H", null] }))).toEqual(waiting);
  });

  it("turns the others first, then enters the card that a patron squeezes", () => {
    const squeezing = { P1: "ann" };
    const both = [turn("P1", "ann"), turn("B1")];
    expect(nextOf(view("dealing", both, { squeezing }))).toMatchObject({ is: "turn", place: "B1", card: "needed" });
    const left = { is: "squeezed", do: "expose-card", place: "P1", card: "needed", patron: "ann" };
    expect(nextOf(view("dealing", [turn("P1"), turn("P1", "ann")], { squeezing }))).toEqual(left);
  });
});

describe("Enter", () => {
  const typed = (keys: string): Entry => [...keys].reduce((entry, key) => press(entry, key) ?? entry, EMPTY);
  const draw = nextOf(view("dealing", [DRAW], { next_place: "P2" }));
  const settle = nextOf(view("complete", ["settle"]));

  it.each([
    [draw, "kh", "act"],
    [draw, "k", "wait"],
    [draw, "", "wait"],
    [settle, "", "act"],
    [settle, "x", "act"],
    [settle, "kh", "card-not-needed"],
    [settle, "k", "card-not-needed"],
    [settle, "1", "card-not-needed"],
    [nextOf(view("irregularity", [])), "", "wait"],
  ] as const)("%o after “%s”: %s", (next, keys, outcome) => expect(onEnter(next, typed(keys))).toBe(outcome));
});

describe("settlement by box", () => {
  it("goes box by box; insurance lies with its patron", () => {
    const boxes = { w1: 3, w2: 1 };
    const lines = [
      { wager: "w1", patron: "ann" },
      { wager: "w2", patron: "bob" },
      { wager: "i3", patron: "ann" },
      { wager: "w9", patron: "cy" },
    ];
    expect(byBox(lines, boxes).map((group) => [group.box, group.lines.map((line) => line.wager)])).toEqual([
      [0, ["w9"]],
      [1, ["w2"]],
      [3, ["w1", "i3"]],
    ]);
  });
});
