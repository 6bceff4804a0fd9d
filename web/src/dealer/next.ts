/** The dealer's next action: of all that the house allows now, the first in the order of play. */

import { can } from "../lib/can";
import type { Possible, View } from "../lib/shapes";
import { begun, complete, type Entry } from "./entry";

export interface Next {
  /** The key of its text: `next.<is>`. */
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
  /** The command to send, without its sender; null if the dealer has nothing to do. */
  do: string | null;
  /** Where the card goes. */
  place?: string;
  /** Whether a card is entered with it. */
  card: "needed" | "none";
  /** The card that waits to be dealt. */
  waits?: string;
  /** The patron who squeezes the card that the dealer waits for. */
  patron?: string;
}

/** The commands in the order of play: the first one that is allowed is the next action. */
const ORDER = ["start-duty", "load-shoe", "burn", "close-betting", "draw-card", "expose-card", "settle", "resume-play", "open-betting", "end-shoe"] as const;

/** The next action at a table. At a virtual table the house deals, so there is none. */
export function nextOf(view: View): Next {
  const nothing = (is: Next["is"]): Next => ({ is, do: null, card: "none" });
  if (view.phase === "closed") return nothing("closed");
  if (view.source === "virtual") return nothing("house");
  const command = ORDER.find((step) => can(view, step));
  if (!command) return nothing(view.phase === "irregularity" ? "ruling" : "wait");
  const turns = view.can!.filter((possible) => possible.do === command);
  const held = (turn: Possible): boolean => view.squeezing?.[String(turn.choices?.place?.[0])] !== undefined;
  const first = turns.find((turn) => !held(turn)) ?? turns.find((turn) => turn.choices?.by) ?? turns[0]!;
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

/** What Enter does now. Enter after a card that is not needed is not meant for the next action: it only drops the card. */
export function onEnter(next: Next, entry: Entry): "act" | "wait" | "card-not-needed" {
  if (next.do === null) return "wait";
  if (next.card === "none") return begun(entry) ? "card-not-needed" : "act";
  return complete(entry) === null ? "wait" : "act";
}

/** The lines of one box: chips are paid box by box. Insurance is with its patron's first wager, or in box 0. */
export interface Paid<L> {
  box: number;
  lines: L[];
}

export function byBox<L extends { wager: string; patron: string }>(lines: L[], of: Record<string, number>): Paid<L>[] {
  const boxes = new Map<number, L[]>();
  const seat = (patron: string) => lines.find((line) => line.patron === patron && of[line.wager] !== undefined)?.wager ?? "";
  for (const line of lines) {
    const box = of[line.wager] ?? of[seat(line.patron)] ?? 0;
    boxes.set(box, [...(boxes.get(box) ?? []), line]);
  }
  return [...boxes.entries()].sort(([a], [b]) => a - b).map(([box, inBox]) => ({ box, lines: inBox }));
}
