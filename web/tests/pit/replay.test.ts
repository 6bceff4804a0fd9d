import { describe, expect, it } from "vitest";
import { amount, cents } from "../../src/lib/money";
import { GROUPS, START, groupOf, ofRound, replayed, step } from "../../src/pit/replay";
import { eventsOf, transcripts } from "./transcripts";

const played = transcripts.filter((one) => one.view.round !== null);

describe("a round replayed step by step", () => {
  it("has transcripts to replay", () => expect(played.length).toBeGreaterThan(60));

  it.each(played.map((one) => [one.name, one] as const))("ends as the table does: %s", (_, one) => {
    const end = replayed(eventsOf(one)).at(-1)!;
    expect(end.round).toBe(one.view.round);
    expect(end.hand).toBe(one.view.hand);
    expect(end.winner).toBe(one.view.winner);
    expect(end.cards).toEqual(one.view.cards);
    expect(end.phase).toBe(one.view.phase);
    expect(end.irregularity).toBe(one.view.irregularity ?? null);
    expect(end.offer?.odds ?? null).toBe((one.view.on_offer ?? one.view.late_offer)?.odds ?? null);
  });

  it.each(played.map((one) => [one.name, one] as const))("has the chips where they lie: %s", (_, one) => {
    const end = replayed(eventsOf(one)).at(-1)!;
    if (["settled", "ready", "no-shoe"].includes(one.view.phase)) return;
    const lying: Record<string, string> = {};
    for (const laid of Object.values(end.wagers)) {
      const key = `${laid.box} ${laid.bet}`;
      lying[key] = amount(cents(lying[key] ?? "0") + laid.stake);
    }
    const shown: Record<string, string> = {};
    for (const box of one.view.boxes) {
      for (const [bet, stake] of Object.entries(box.stakes)) shown[`${box.box} ${bet}`] = stake;
    }
    expect(lying).toEqual(shown);
  });

  it("has one state more than events, and begins before the first", () => {
    const events = eventsOf(played[0]!);
    const states = replayed(events);
    expect(states).toHaveLength(events.length + 1);
    expect(states[0]).toEqual(START);
  });

  it("leaves an event that it does not know without effect", () => {
    expect(step(START, { event: "something-new" })).toEqual(START);
  });

  it("knows a filter for every event of the transcripts", () => {
    const tags = new Set(transcripts.flatMap(eventsOf).map((one) => one.event.event));
    expect(tags.size).toBeGreaterThan(50);
    for (const tag of tags) expect(GROUPS).toContain(groupOf(tag));
    expect(groupOf("card-drawn")).toBe("cards");
    expect(groupOf("round-voided")).toBe("irregular");
  });

  it("finds the events of one round, also those that come later and name it", () => {
    const late = transcripts.find((one) => one.name.endsWith("late-missing-card-2025.jsonl"))!;
    const found = ofRound(eventsOf(late), 1);
    expect(found[0]!.event.event).toBe("betting-opened");
    expect(found.some((one) => one.event.event === "past-round-corrected")).toBe(true);
    expect(found.every((one) => one.event.event !== "betting-opened" || one.event.round === 1)).toBe(true);
  });
});
