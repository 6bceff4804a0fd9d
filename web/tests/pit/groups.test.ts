import { describe, expect, it } from "vitest";
import { GROUPS, groupOf, ofRound } from "../../src/pit/groups";
import { eventsOf, transcripts } from "./transcripts";

describe("which events belong together", () => {
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
