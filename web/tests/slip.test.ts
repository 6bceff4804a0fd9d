import { describe, expect, test } from "vitest";
import { Problem } from "../src/lib/api";
import type { Answer, Command, Wager } from "../src/lib/shapes";
import { accepted, doubled, plan, repeated, spot, spotOf, tapped, total, type Stakes } from "../src/table/slip";
import { Slip } from "../src/table/Slip.svelte";

const of = (stakes: Record<string, number>): Stakes => new Map(Object.entries(stakes));

describe("plan", () => {
  test("places, raises, lowers and withdraws; chips come off first", () => {
    const commands = plan(of({ "1:player": 100_00, "1:tie": 50_00, "2:banker": 30_00 }), of({ "1:player": 150_00, "1:tie": 20_00, "1:banker": 10_00 }));
    expect(commands).toEqual([
      { do: "lower-wager", box: 1, bet: "tie", stake: "30.00" },
      { do: "withdraw-wager", box: 2, bet: "banker" },
      { do: "raise-wager", box: 1, bet: "player", stake: "50.00" },
      { do: "place-wager", box: 1, bet: "banker", stake: "10.00" },
    ]);
  });

  test("nothing to do is no command", () => {
    expect(plan(of({ "1:tie": 5 }), of({ "1:tie": 5 }))).toEqual([]);
  });

  test("there and back is nothing, for many pairs of layouts", () => {
    const some = [of({}), of({ "1:player": 5 }), of({ "1:player": 9, "3:tie": 2 }), of({ "16:tie": 1 })];
    for (const a of some) {
      for (const b of some) {
        const there = applied(a, plan(a, b));
        expect(there).toEqual(b);
        expect(applied(there, plan(there, a))).toEqual(a);
      }
    }
  });
});

describe("wishes", () => {
  test("a tap adds the chip and leaves the rest", () => {
    const before = of({ "1:player": 100 });
    expect(tapped(before, "1:player", 25)).toEqual(of({ "1:player": 125 }));
    expect(tapped(before, "1:tie", 25)).toEqual(of({ "1:player": 100, "1:tie": 25 }));
    expect(before).toEqual(of({ "1:player": 100 }));
  });

  test("double doubles every spot", () => {
    expect(doubled(of({ "1:player": 100, "2:tie": 5 }))).toEqual(of({ "1:player": 200, "2:tie": 10 }));
  });

  test("repeat leaves out what the table no longer takes", () => {
    const last = of({ "1:player": 100, "1:closed_bet": 5, "4:player": 50 });
    expect(repeated(last, ["player"], [1, 2])).toEqual(of({ "1:player": 100 }));
  });

  test("a spot is a box and a bet", () => {
    expect(spotOf(spot(12, "player_natural_8"))).toEqual({ box: 12, bet: "player_natural_8" });
  });

  test("the house's wagers as stakes", () => {
    const wager = { wager: "w1", patron: "ann", box: 2, bet: "tie", stake: "12.50", in_play: "12.50", seated: true } satisfies Wager;
    expect(accepted([wager])).toEqual(of({ "2:tie": 1250 }));
    expect(total(accepted([wager, { ...wager, bet: "player" }]))).toBe(2500);
  });
});

/** A house that answers when the test says so. */
class House {
  sent: Command[][] = [];
  version = 1;
  private answers: { done: (answer: Answer) => void; failed: (problem: Problem) => void }[] = [];
  slip = new Slip(
    (commands) => {
      this.sent.push(commands);
      return new Promise((done, failed) => this.answers.push({ done, failed }));
    },
    (problem) => problem.detail,
    (problem) => this.late.push(problem.code),
  );
  late: string[] = [];

  async accept(laid: Stakes, viewFirst = false): Promise<void> {
    this.version += 1;
    if (viewFirst) this.slip.follow(this.version, 1, laid);
    this.answers.shift()!.done({ table: "t", version: this.version, events: [] });
    await settled();
    if (!viewFirst) this.slip.follow(this.version, 1, laid);
  }

  async refuse(detail: string, code = "over-maximum"): Promise<void> {
    this.answers.shift()!.failed(new Problem(409, code, detail, "3.5"));
    await settled();
  }
}

const settled = (): Promise<void> => new Promise((done) => setTimeout(done, 0));

describe("the slip", () => {
  test.each(["another-round", "no-more-bets", "betting-not-open"])("too late (%s): it is told, and the chip goes back", async (code) => {
    const house = new House();
    house.slip.follow(1, 1, of({}));
    house.slip.tap(1, "player", 100);
    await house.refuse("too late", code);
    expect(house.late).toEqual([code]);
    expect(house.slip.refused).toBe(null);
    expect(house.slip.ghost("1:player")).toBe(0);
  });

  test("a chip of the last round is no ghost in the next, and what is tapped there stands by itself", async () => {
    const house = new House();
    house.slip.follow(1, 1, of({}));
    house.slip.tap(1, "player", 100);
    house.slip.follow(2, 2, of({}));
    expect(house.slip.ghost("1:player")).toBe(0);
    house.slip.tap(1, "player", 500);
    expect(house.sent[1]).toEqual([{ do: "place-wager", box: 1, bet: "player", stake: "5.00" }]);
    await house.refuse("too late", "another-round");
    expect(house.slip.ghost("1:player")).toBe(500);
    expect(house.slip.canUndo).toBe(true);
  });

  test.each([true, false])("a tap is a ghost at once and solid when accepted (view first: %s)", async (viewFirst) => {
    const house = new House();
    house.slip.follow(1, 1, of({}));
    house.slip.tap(1, "player", 100);
    expect(house.slip.ghost("1:player")).toBe(100);
    expect(house.slip.solid("1:player")).toBe(0);
    expect(house.sent).toEqual([[{ do: "place-wager", box: 1, bet: "player", stake: "1.00" }]]);
    await house.accept(of({ "1:player": 100 }), viewFirst);
    expect(house.slip.ghost("1:player")).toBe(0);
    expect(house.slip.solid("1:player")).toBe(100);
  });

  test("the ghost stays between the answer and the view that shows it", async () => {
    const house = new House();
    house.slip.follow(1, 1, of({}));
    house.slip.tap(1, "player", 100);
    house.version = 1;
    const waiting = house.accept(of({ "1:player": 100 }));
    await settled();
    expect(house.slip.ghost("1:player") + house.slip.solid("1:player")).toBe(100);
    await waiting;
    expect(house.slip.solid("1:player")).toBe(100);
  });

  test("two quick taps: the second raises what the first placed", async () => {
    const house = new House();
    house.slip.follow(1, 1, of({}));
    house.slip.tap(1, "player", 100);
    house.slip.tap(1, "player", 100);
    expect(house.sent[1]).toEqual([{ do: "raise-wager", box: 1, bet: "player", stake: "1.00" }]);
    await house.accept(of({ "1:player": 100 }));
    expect(house.slip.solid("1:player")).toBe(100);
    expect(house.slip.ghost("1:player")).toBe(100);
    await house.accept(of({ "1:player": 200 }));
    expect(house.slip.solid("1:player")).toBe(200);
    expect(house.slip.busy).toBe(false);
  });

  test("refused: the ghost goes, the spot is marked with the sentence and its paragraph", async () => {
    const house = new House();
    house.slip.follow(1, 1, of({}));
    house.slip.tap(1, "tie", 100);
    await house.refuse("too much");
    expect(house.slip.ghost("1:tie")).toBe(0);
    expect(house.slip.refused).toEqual({ spots: ["1:tie"], code: "over-maximum", text: "too much", paragraph: "3.5" });
    expect(house.slip.canUndo).toBe(false);
  });

  test("undo goes back one wish at a time, clear is a wish too", async () => {
    const house = new House();
    house.slip.follow(1, 1, of({}));
    house.slip.tap(1, "player", 100);
    await house.accept(of({ "1:player": 100 }));
    house.slip.double();
    await house.accept(of({ "1:player": 200 }));
    house.slip.clear();
    await house.accept(of({}));
    house.slip.undo();
    expect(house.sent.at(-1)).toEqual([{ do: "place-wager", box: 1, bet: "player", stake: "2.00" }]);
    await house.accept(of({ "1:player": 200 }));
    house.slip.undo();
    expect(house.sent.at(-1)).toEqual([{ do: "lower-wager", box: 1, bet: "player", stake: "1.00" }]);
    await house.accept(of({ "1:player": 100 }));
    house.slip.undo();
    expect(house.sent.at(-1)).toEqual([{ do: "withdraw-wager", box: 1, bet: "player" }]);
    await house.accept(of({}));
    expect(house.slip.canUndo).toBe(false);
  });

  test("a new round forgets what could be undone", async () => {
    const house = new House();
    house.slip.follow(1, 1, of({}));
    house.slip.tap(1, "player", 100);
    await house.accept(of({ "1:player": 100 }));
    house.slip.follow(9, 2, of({}));
    expect(house.slip.canUndo).toBe(false);
    expect(total(house.slip.wish)).toBe(0);
  });
});

function applied(now: Stakes, commands: Command[]): Stakes {
  const next = new Map(now);
  for (const command of commands) {
    const at = spot(command.box as number, command.bet as string);
    const change = Math.round(Number(command.stake ?? "0") * 100);
    if (command.do === "withdraw-wager") next.delete(at);
    else if (command.do === "lower-wager") next.set(at, next.get(at)! - change);
    else next.set(at, (next.get(at) ?? 0) + change);
  }
  return next;
}
