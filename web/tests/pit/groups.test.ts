import { describe, expect, it } from "vitest";
import { GROUPS, groupOf, ofRound } from "../../src/pit/groups";
import { eventsOf, transcripts } from "./transcripts";

describe("which events belong together", () => {
  it("knows a filter for every event of the transcripts", () => {
    const tags = new Set(transcripts.flatMap(eventsOf).map((stored) => stored.event.event));
    expect(tags.size).toBeGreaterThan(50);
    for (const tag of tags) expect(GROUPS).toContain(groupOf(tag));
    expect(groupOf("card-drawn")).toBe("cards");
    expect(groupOf("round-voided")).toBe("irregular");
  });

  it("finds the events of one round, also those that come later and name it", () => {
    const late = transcripts.find((transcript) => transcript.name.endsWith("late-missing-card-2025.jsonl"))!;
    const events = ofRound(eventsOf(late), 1);
    expect(events[0]!.event.event).toBe("betting-opened");
    expect(events.some((stored) => stored.event.event === "past-round-corrected")).toBe(true);
    expect(events.every((stored) => stored.event.event !== "betting-opened" || stored.event.round === 1)).toBe(true);
  });
});
