import { describe, expect, it } from "vitest";
import { described, leaves, mentions } from "../../src/pit/describe";
import { eventWords } from "../../src/pit/events/words";
import { eventsOf, transcripts } from "./transcripts";

describe("events in one line", () => {
  it("says who and what first", () => {
    expect(described({ event: "wager-placed", paragraph: "3.7", wager: "w1", patron: "ann", box: 1, bet: "player", seated: true, stake: "100.00", by: null })).toBe(
      "ann · box 1 · player · 100.00 · seated",
    );
    expect(described({ event: "card-drawn", paragraph: "3.10", place: "P1", card: "KH", exposed: true, carried: false })).toBe("P1 · KH · exposed");
    expect(described({ event: "betting-closed", says: "No more Bets", by: "dora" })).toBe("No more Bets · (dora)");
    expect(described({ event: "cards-reconstructed", cards: [{ place: "P1", face: "KH", exposed: true }], carried: [{ face: null, exposed: false }] })).toBe(
      "cards P1=KH · carried ?",
    );
  });

  it("has a line without objects for every event of the transcripts", () => {
    for (const one of transcripts.flatMap(eventsOf)) expect(described(one.event)).not.toContain("[object");
  });

  it("has a name for every event of the transcripts", () => {
    for (const one of transcripts.flatMap(eventsOf)) expect(eventWords).toHaveProperty(one.event.event);
  });

  it("flattens what is to be approved, and leaves out what says nothing", () => {
    const what = { table: "t4", command: { do: "decide-irregularity", card: null, order: ["KD", "2S"], pay: {}, skip: 0, reconstruct: true, pays: { ann: "1.00" } } };
    expect(leaves(what)).toEqual([
      ["table", "t4"],
      ["command.do", "decide-irregularity"],
      ["command.order", "KD 2S"],
      ["command.reconstruct", "true"],
      ["command.pays.ann", "1.00"],
    ]);
  });

  it("finds text in an event", () => {
    expect(mentions({ event: "wager-placed", patron: "Ann" }, " ann ")).toBe(true);
    expect(mentions({ event: "wager-placed", patron: "Ann" }, "bob")).toBe(false);
  });
});
