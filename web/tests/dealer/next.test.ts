import { describe, expect, it } from "vitest";
import { byBox, nextOf } from "../../src/dealer/next";
import type { Phase, View } from "../../src/lib/shapes";

const live = { source: "live", facing: "up" };
const down = { source: "live", facing: "down" };

function view(phase: Phase, change: Partial<View> = {}): View {
  return { phase, cards: {}, last_round: false, next_place: null, ...change } as View;
}

const next = (of: View, table = live, onDuty = true) => nextOf(of, table, onDuty);

describe("the next action", () => {
  it.each([
    ["no-shoe", "load-shoe"],
    ["ready", "open-betting"],
    ["betting", "close-betting"],
    ["complete", "settle"],
    ["settled", "open-betting"],
    ["options", "resume-play"],
    ["irregularity", null],
    ["closed", null],
  ] as const)("%s: %s", (phase, command) => expect(next(view(phase)).do).toBe(command));

  it("leaves a virtual table to the house", () => {
    expect(next(view("dealing", { next_place: "P1" }), { source: "virtual", facing: "up" })).toMatchObject({ is: "house", do: null });
  });

  it("begins with going on duty", () => expect(next(view("betting"), live, false).do).toBe("start-duty"));

  it("ends the shoe after its last round", () => {
    expect(next(view("settled", { last_round: true })).do).toBe("end-shoe");
    expect(next(view("ready", { last_round: true })).do).toBe("end-shoe");
  });

  it("draws to the next place and asks for the card", () => {
    expect(next(view("dealing", { next_place: "P2" }))).toEqual({ is: "draw", do: "draw-card", place: "P2", card: "needed" });
    expect(next(view("offer", { next_place: "P3" })).place).toBe("P3");
  });

  it("deals a card that waits before any from the shoe, and asks for none", () => {
    const waiting = { is: "waiting", do: "draw-card", place: "P1", card: "none", waits: "2H" };
    expect(next(view("dealing", { next_place: "P1", waiting: ["2H", null] }))).toEqual(waiting);
    expect(next(view("dealing", { next_place: "P1", waiting: ["2H"] }), down)).toEqual(waiting);
    expect(next(view("dealing", { next_place: "P1", waiting: [null] })).card).toBe("needed");
    expect(next(view("dealing", { next_place: "P1", waiting: [null] }), down).is).toBe("draw-down");
  });

  it("draws face down, then turns", () => {
    expect(next(view("dealing", { next_place: "B1" }), down)).toMatchObject({ is: "draw-down", card: "none" });
    const four = { P1: null, B1: null, P2: "7D", B2: null };
    expect(next(view("dealing", { cards: four }), down)).toEqual({ is: "turn", do: "expose-card", place: "P1", card: "needed" });
  });

  it("turns the others first, then enters the card that a patron squeezes", () => {
    const squeezing = { P1: "ann", P2: "ann" };
    const four = { P1: null, B1: null, P2: null, B2: "3C" };
    expect(next(view("dealing", { cards: four, squeezing }), down)).toMatchObject({ is: "turn", place: "B1" });
    expect(next(view("dealing", { cards: { ...four, B1: "2S" }, squeezing }), down)).toMatchObject({
      is: "squeezed",
      do: "expose-card",
      place: "P1",
      card: "needed",
      patron: "ann",
    });
    expect(next(view("dealing", { cards: four }), down)).toMatchObject({ is: "turn", place: "P1" });
  });

  it("burns with the card that shows", () => expect(next(view("commencing"))).toMatchObject({ do: "burn", card: "needed" }));
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
    expect(byBox(lines, boxes).map((one) => [one.box, one.lines.map((line) => line.wager)])).toEqual([
      [0, ["w9"]],
      [1, ["w2"]],
      [3, ["w1", "i3"]],
    ]);
  });
});
