/** The one obvious next action of a dealer: what the phase and the cards call for. The house still judges it. */

import type { View } from "../lib/shapes";

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

export interface Table {
  source: string;
  facing: string;
}

const plain = (is: Next["is"], command: string | null = is): Next => ({ is, do: command, card: "none" });

export function nextOf(view: View, table: Table, onDuty: boolean): Next {
  if (view.phase === "closed") return plain("closed", null);
  if (table.source === "virtual") return plain("house", null);
  if (!onDuty) return plain("start-duty");
  switch (view.phase) {
    case "no-shoe":
      return plain("load-shoe");
    case "commencing":
      return { is: "burn", do: "burn", card: "needed" };
    case "ready":
    case "settled":
      return view.last_round ? plain("end-shoe") : plain("open-betting");
    case "betting":
      return plain("close-betting");
    case "cut-card":
    case "dealing":
    case "offer":
      return cardOf(view, table);
    case "complete":
      return plain("settle");
    case "irregularity":
      return plain("ruling", null);
    case "options":
      return plain("options", "resume-play");
  }
}

function cardOf(view: View, table: Table): Next {
  if (view.next_place) {
    const waits = view.waiting?.[0];
    if (waits) return { is: "waiting", do: "draw-card", place: view.next_place, card: "none", waits };
    if (table.facing === "down") return { is: "draw-down", do: "draw-card", place: view.next_place, card: "none" };
    return { is: "draw", do: "draw-card", place: view.next_place, card: "needed" };
  }
  const down = Object.keys(view.cards).filter((place) => view.cards[place] === null);
  const own = down.find((place) => !view.squeezing?.[place]);
  if (own) return { is: "turn", do: "expose-card", place: own, card: "needed" };
  if (down[0]) return { is: "squeezed", do: "expose-card", place: down[0], card: "needed", patron: view.squeezing![down[0]]! };
  return plain("wait", null);
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
