// Follows one table: passes the calls on as text and as speech, and plays a sound when cards or chips move.

import type { View } from "../lib/shapes";
import { phaseSaid } from "../table/phase";
import { Caller } from "./calls";
import { sound } from "./sound.svelte";

export class Ear {
  /** The newest call, or the new phase in words if nothing is called. "" before the first. */
  said = $state("");
  private readonly caller = new Caller();
  private before: { phase: string; cards: number } | null = null;

  hear(view: View): void {
    const calls = this.caller.hear(view);
    const { before } = this;
    const cards = Object.keys(view.cards).length;
    this.before = { phase: view.phase, cards };
    if (before && cards > before.cards) sound.noise("card");
    if (before && before.phase !== "settled" && view.phase === "settled" && view.lines?.length) sound.noise("chips");
    if (calls.length) {
      this.said = calls.join(". ");
      sound.call(this.said);
    } else if (before && before.phase !== view.phase) this.said = phaseSaid(view);
  }
}
