// Where the bets of a layout lie on the felt, read from the edition: main bets and the tie in the middle, side bets on
// the side of the hand that their pay table is about.

import type { BetRule, Edition } from "../lib/reference.svelte";
import type { Limits } from "../lib/shapes";
import { cents, oddsText, paid, type Cents } from "../lib/money";

export interface Spot {
  bet: string;
  rule: BetRule;
  /** The hand or the tie that it is about, for its colour; null if there is none. */
  role: BetRule["about"];
}

export interface Felt {
  main: Spot[];
  player: Spot[];
  middle: Spot[];
  banker: Spot[];
}

const ORDER: BetRule["about"][] = ["player", "tie", "banker"];

export function felt(edition: Edition, bets: string[]): Felt {
  const spots: Spot[] = bets.flatMap((bet) => {
    const rule = edition.bets[bet];
    return rule ? [{ bet, rule, role: rule.about }] : [];
  });
  const central = (spot: Spot): boolean => spot.rule.main || spot.bet === spot.role;
  const side = spots.filter((spot) => !central(spot));
  return {
    main: spots.filter(central).sort((a, b) => ORDER.indexOf(a.role) - ORDER.indexOf(b.role)),
    player: side.filter((spot) => spot.role === "player"),
    middle: side.filter((spot) => spot.role !== "player" && spot.role !== "banker"),
    banker: side.filter((spot) => spot.role === "banker"),
  };
}

/** What a bet pays: 0.95 to 1, or all rows in one line. */
export function paysText(rule: BetRule, to: string): string {
  const odds = [...new Set(rule.pays.map((row) => row.odds))];
  if (odds.length > 1 && odds.every((ratio) => !ratio.includes("/"))) return paid(to, odds.join("/"), "1");
  return odds.map((ratio) => oddsText(ratio, to)).join(" · ");
}

/** A bet's limits, as the house says them. */
export function limitsOf(limits: Limits, bet: string): { minimum: Cents; maximum: Cents | null } {
  const { minimum, maximum } = limits.bets[bet] ?? { minimum: null, maximum: null };
  return { minimum: cents(minimum ?? "0"), maximum: maximum ? cents(maximum) : null };
}
