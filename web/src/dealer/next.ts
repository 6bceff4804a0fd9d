/** The one obvious next action of a dealer: the first in the order of play of what the house says can be done. */

import { can } from "../lib/can";
import type { Possible, View } from "../lib/shapes";

export interface Next {
  /** The word for it: `next.<is>`. */
  is:
    | "closed"
    | "house"
    | "start-duty"
    | "load-shoe"
    | "burn"
    | "open-betting"
    | "close-betting"
    | "draw"
    | "draw-down"
    | "waiting"
    | "turn"
    | "squeezed"
    | "settle"
    | "end-shoe"
    | "ruling"
    | "options"
    | "wait";
  /** The command to send, without who gives it; null where there is nothing for a dealer to do. */
  do: string | null;
  /** Where the card goes. */
  place?: string;
  /** Whether a card is entered with it. */
  card: "needed" | "none";
  /** The card that waits to be dealt. */
  waits?: string;
  /** Who holds the card that is waited for. */
  patron?: string;
}

/** What goes before what, of all that can be done. */
const ORDER = ["start-duty", "load-shoe", "burn", "close-betting", "draw-card", "expose-card", "settle", "resume-play", "open-betting", "end-shoe"] as const;

/** Where the house deals itself there is nothing to do. */
export function nextOf(view: View): Next {
  const nothing = (is: Next["is"]): Next => ({ is, do: null, card: "none" });
  if (view.phase === "closed") return nothing("closed");
  if (view.source === "virtual") return nothing("house");
  const command = ORDER.find((one) => can(view, one));
  if (!command) return nothing(view.phase === "irregularity" ? "ruling" : "wait");
  const turns = view.can!.filter((one) => one.do === command);
  const held = (one: Possible): boolean => view.squeezing?.[String(one.choices?.place?.[0])] !== undefined;
  const first = turns.find((one) => !held(one)) ?? turns.find((one) => one.choices?.by) ?? turns[0]!;
  const card = first.enters?.includes("card") ? "needed" : "none";
  if (command === "draw-card") return drawing(view, card);
  if (command === "resume-play") return { is: "options", do: command, card };
  if (command !== "expose-card") return { is: command, do: command, card };
  const patron = first.choices?.by?.[0];
  const place = String(first.choices!.place![0]);
  return patron === undefined ? { is: "turn", do: command, place, card } : { is: "squeezed", do: command, place, card, patron: String(patron) };
}

function drawing(view: View, card: Next["card"]): Next {
  const next = { do: "draw-card", place: view.next_place!, card };
  const waits = view.waiting?.[0];
  if (waits) return { is: "waiting", ...next, waits };
  return { is: card === "needed" ? "draw" : "draw-down", ...next };
}

/** Lines by box, boxes in order: chips are paid box by box. Insurance lies with its patron's seat, or with none (box 0). */
export interface Paid<L> {
  box: number;
  lines: L[];
}

export function byBox<L extends { wager: string; patron: string }>(lines: L[], of: Record<string, number>): Paid<L>[] {
  const boxes = new Map<number, L[]>();
  const seat = (patron: string) => lines.find((one) => one.patron === patron && of[one.wager] !== undefined)?.wager ?? "";
  for (const line of lines) {
    const box = of[line.wager] ?? of[seat(line.patron)] ?? 0;
    boxes.set(box, [...(boxes.get(box) ?? []), line]);
  }
  return [...boxes.entries()].sort(([a], [b]) => a - b).map(([box, found]) => ({ box, lines: found }));
}
