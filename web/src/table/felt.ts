// Where the bets of a layout lie on the felt, read from the edition: main bets and the tie in the middle, side bets on the side of
// the hand that their pay table speaks of.

import type { BetRule, Edition } from "../lib/reference.svelte";
import type { Limits } from "../lib/shapes";
import { cents, paid, type Cents } from "../lib/money";

export type Role = "player" | "banker" | "tie";

export interface Spot {
  bet: string;
  rule: BetRule;
  /** The colour it has, if it speaks of one hand or of a tie. */
  role: Role | null;
}

export interface Felt {
  main: Spot[];
  player: Spot[];
  middle: Spot[];
  banker: Spot[];
}

const ORDER: Role[] = ["player", "tie", "banker"];

/** The hand that every row of a pay table begins with, if it is one. */
export function leaning(rule: BetRule): Role | null {
  const first = new Set(rule.pays.map((row) => row.case.split(" ")[0]!.toLowerCase()));
  const only = first.size === 1 ? [...first][0]! : null;
  return ORDER.find((role) => role === only) ?? null;
}

export function felt(edition: Edition, bets: string[]): Felt {
  const spots: Spot[] = bets.flatMap((bet) => {
    const rule = edition.bets[bet];
    return rule ? [{ bet, rule, role: leaning(rule) }] : [];
  });
  const central = (one: Spot): boolean => one.rule.main || one.bet === one.role;
  const side = spots.filter((one) => !central(one));
  return {
    main: spots.filter(central).sort((a, b) => ORDER.indexOf(a.role!) - ORDER.indexOf(b.role!)),
    player: side.filter((one) => one.role === "player"),
    middle: side.filter((one) => one.role !== "player" && one.role !== "banker"),
    banker: side.filter((one) => one.role === "banker"),
  };
}

/** What a bet pays, as its table prints it: 0.95 to 1, or all rows in one line. */
export function paysText(rule: BetRule, to: string): string {
  const rows = rule.pays.map((row) => (/^(.+?)(?: to |:)(.+)$/.exec(row.printed ?? "")?.slice(1) ?? [row.odds.split("/")[0]!, row.odds.split("/")[1] ?? "1"]));
  const bottoms = new Set(rows.map((one) => one[1]));
  if (bottoms.size === 1) return paid(to, rows.map((one) => one[0]).join("/"), [...bottoms][0]!);
  return rows.map((one) => paid(to, one[0]!, one[1]!)).join(" · ");
}

/** A bet's limits, as the house says them. */
export function limitsOf(limits: Limits, bet: string): { minimum: Cents; maximum: Cents | null } {
  const { minimum, maximum } = limits.bets[bet] ?? { minimum: null, maximum: null };
  return { minimum: cents(minimum ?? "0"), maximum: maximum ? cents(maximum) : null };
}
