/** A card that was entered wrongly: the report and the ruling, made from the rows that the edition publishes. */

import { can } from "../lib/can";
import type { Edition, Kind } from "../lib/reference.svelte";
import type { Command, View } from "../lib/shapes";

/** The places with an open card, the last dealt first: it is most likely the one meant. */
export function lying(view: View): string[] {
  return Object.keys(view.cards)
    .filter((place) => view.cards[place])
    .reverse();
}

/** The kind of irregularity under which the house accepts the report now: about a single card if the edition has such a
 * kind, else about both hands. */
export function kindOf(view: View, rules: Edition): Kind | null {
  const heard = can(view, "report-irregularity")?.choices?.kind ?? [];
  const open = rules.kinds.filter((kind) => heard.includes(kind.kind));
  const single = open.find((kind) => kind.rulings.some((ruling) => ruling.fields.some((field) => field.name === "card")) && has(kind, "place"));
  return single ?? open.find((kind) => kind.kind === "wrong-dealing" && has(kind, "player")) ?? null;
}

const has = (kind: Kind, name: string): boolean => kind.fields.some((field) => field.name === name);

/** The report, and the ruling that states the right card. Whoever has the rank gives both at once. */
export function misread(view: View, rules: Edition, place: string, card: string, note: string): [report: Command, ruling: Command] | null {
  const kind = kindOf(view, rules);
  if (!kind) return null;
  const report: Command = { do: "report-irregularity", kind: kind.kind, note };
  if (has(kind, "place")) {
    const states = kind.rulings.find((ruling) => ruling.fields.some((field) => field.name === "card"))!;
    const reason = states.reason_needed ? { reason: note } : {};
    return [{ ...report, place }, { do: "decide-irregularity", ...states.says, ...reason, card }];
  }
  const cards = { ...view.cards, [place]: card };
  const hand = (letter: string): string[] => ["1", "2", "3"].map((at) => cards[letter + at]).filter((dealt): dealt is string => Boolean(dealt));
  return [{ ...report, player: hand("P"), banker: hand("B") }, { do: "decide-irregularity" }];
}
