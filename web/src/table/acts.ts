import type { Seat } from "./Seat.svelte";
import { total } from "./slip";

/** Something done with all chips of a seat, by a button or its key. `on`: the house would take it now. */
export interface Act {
  key: string;
  name: "undo" | "clear" | "double" | "repeat";
  sign: string;
  on: boolean;
  act: () => void;
}

/** Whoever has laid every chip can still take chips back, and so can everybody while the cut card is out. */
export function actsOf(seat: Seat): Act[] {
  const { slip } = seat;
  const lies = total(slip.wish);
  return [
    { key: "u", name: "undo", sign: "↶", on: (seat.mayBet || seat.may("lower-wager")) && slip.canUndo, act: () => slip.undo() },
    { key: "c", name: "clear", sign: "✕", on: (seat.mayBet || seat.may("withdraw-wager")) && lies > 0, act: () => slip.clear() },
    { key: "d", name: "double", sign: "×2", on: seat.mayBet && lies > 0 && (seat.balance ?? 0) >= lies, act: () => slip.double() },
    { key: "r", name: "repeat", sign: "↻", on: seat.mayBet && lies === 0 && total(seat.repeatable) > 0, act: () => slip.place(seat.repeatable) },
  ];
}
