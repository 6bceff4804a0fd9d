import { describe, expect, it } from "vitest";
import type { TableEvent } from "../../src/lib/shapes";
import { described, LEFT_OUT, mentions, tells } from "../../src/pit/describe";
import { eventWords } from "../../src/pit/events/words";
import { eventsOf, transcripts } from "./transcripts";

describe("events in one line", () => {
  const bet = (name: string) => name.replace(/(^|_)(.)/g, (_, gap: string, letter: string) => (gap ? " " : "") + letter.toUpperCase());
  const said = (event: TableEvent) => described(event, bet);

  it("says who and what first, bets and places by their names", () => {
    const placed = { event: "wager-placed", paragraph: "3.7", wager: "w1", patron: "ann", box: 1, bet: "tiger_pair", seated: true, stake: "100.00", by: null };
    expect(said(placed)).toBe("ann · box 1 · Tiger Pair · 100");
    expect(said({ event: "card-drawn", paragraph: "3.10", place: "P1", card: "KH", exposed: true, carried: false })).toBe("Player, first card · K♥");
    expect(said({ event: "card-drawn", paragraph: "3.10", place: "B3", card: null, exposed: false })).toBe("Banker, third card · face down");
    expect(said({ event: "betting-closed", says: "No more Bets", by: "dora" })).toBe("“No more Bets” · (dora)");
    expect(said({ event: "play-resumed", phase: "dealing", silent: [] })).toBe("goes on: dealing");
    expect(said({ event: "coup-completed", player_points: 1, banker_points: 7 })).toBe("Player 1 · Banker 7");
    expect(said({ event: "insurance-notice", offered: false, asked_by: "ann" })).toBe("no insurance here · asked for by ann");
  });

  it("names an irregularity, its cards and its ruling", () => {
    const irregularity = { kind: "excess-card", phase: "dealing", cards: [{ face: "2H", exposed: true }], cause: null, place: null, round: null };
    expect(said({ event: "irregularity-reported", opens: true, irregularity, note: "", by: "sue" })).toBe(
      "Card drawn too many, too soon, or exposed, 2♥ · (sue)",
    );
    expect(said({ event: "irregularity-decided", kind: "excess-card", ruling: "cards-reconstructed", rank: "pit-supervisor", reason: "on camera", by: "sue" })).toBe(
      "Card drawn too many, too soon, or exposed · Cards reconstructed · Pit Supervisor · “on camera” · (sue)",
    );
    const cards = [
      { place: "P1", face: "5H", exposed: true },
      { place: "B1", face: "2D", exposed: true },
      { place: "P2", face: "TD", exposed: true },
    ];
    expect(said({ event: "cards-reconstructed", cards, carried: [{ face: "2H", exposed: true }] })).toBe(
      "Player 5♥ 10♦, Banker 2♦ · dealt next: 2♥",
    );
  });

  it("has no developer's word in any event of the transcripts", () => {
    for (const stored of transcripts.flatMap(eventsOf)) expect(said(stored.event)).not.toMatch(/\[object|undefined|[a-z]_[a-z]|\b[PB][123]\b|[a-z]-[a-z]+-/);
  });

  it("knows every field of the transcripts: it is told, or left out on purpose", () => {
    const fields = new Set(transcripts.flatMap(eventsOf).flatMap((stored) => Object.keys(stored.event)));
    expect([...fields].filter((field) => !tells(field) && !LEFT_OUT.has(field))).toEqual([]);
  });

  it("has a name for every event of the transcripts", () => {
    for (const stored of transcripts.flatMap(eventsOf)) expect(eventWords).toHaveProperty(stored.event.event);
  });

  it("finds text in an event", () => {
    expect(mentions({ event: "wager-placed", patron: "Ann" }, " ann ")).toBe(true);
    expect(mentions({ event: "wager-placed", patron: "Ann" }, "bob")).toBe(false);
  });
});
