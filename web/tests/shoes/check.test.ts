import { describe, expect, it } from "vitest";
import { RANKS, SUITS } from "../../src/dealer/entry";
import { checked, commitment, type Shoe } from "../../src/shoes/check";
import { eventsOf, transcripts } from "../pit/transcripts";

const SALT = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
const ORDER = SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit));

async function shoe(change: Partial<Shoe> = {}): Promise<Shoe> {
  const dealt = ["AS", "2S", null].map((card, i) => ({ at: i + 1, how: "P1", card }));
  return { shoe: 1, cards: 52, commitment: await commitment(SALT, ORDER), salt: SALT, order: ORDER, dealt, ...change };
}

describe("a shoe that has ended", () => {
  it("hashes as the house does", async () => {
    const events = transcripts.flatMap(eventsOf).map((stored) => stored.event);
    const ended = events.filter((event) => event.event === "shoe-ended" && event.salt);
    expect(ended.length).toBeGreaterThan(0);
    for (const event of ended) {
      const hash = await commitment(event.salt as string, event.order as string[]);
      expect(events.some((other) => other.event === "shoe-loaded" && other.commitment === hash)).toBe(true);
    }
  });

  it("is good when hash, decks and every shown card agree", async () => expect(await checked(await shoe())).toEqual({ is: "good" }));

  it("waits for salt and order", async () => expect(await checked(await shoe({ salt: null, order: null }))).toEqual({ is: "not-yet" }));

  it("sees another hash, other decks, another card and a gap", async () => {
    expect(await checked(await shoe({ commitment: "00" }))).toEqual({ is: "hash" });
    const order = ["2S", ...ORDER.slice(1)];
    expect(await checked(await shoe({ order, commitment: await commitment(SALT, order) }))).toEqual({ is: "decks" });
    expect(await checked(await shoe({ dealt: [{ at: 1, how: "P1", card: "KS" }] }))).toEqual({ is: "card", at: 1 });
    expect(await checked(await shoe({ dealt: [{ at: 2, how: "P1", card: "2S" }] }))).toEqual({ is: "card", at: 1 });
  });

  it("lets a card that waited pass: it left the shoe when it was reported", async () => {
    expect(await checked(await shoe({ dealt: [{ at: 1, how: "reported", card: "AS" }, { at: null, how: "P1", card: "AS" }] }))).toEqual({ is: "good" });
  });
});
