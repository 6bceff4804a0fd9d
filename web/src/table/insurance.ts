// What an insurance stake would come to, for each way the round can end: shown before it is taken, never a default.

import { cents, winnings, type Cents } from "../lib/money";
import type { Edition } from "../lib/reference.svelte";
import type { OnOffer, Wager } from "../lib/shapes";

export type Ending = "player" | "banker" | "tie";
export const ENDINGS: Ending[] = ["player", "banker", "tie"];

/** Net result; a bet whose pay table has several rows gives a span. */
export interface Net {
  low: Cents;
  high: Cents;
}

/** The row of the pay table behind an offer says whether this tie is paid. */
export function tiePays(edition: Edition, offer: OnOffer): boolean {
  const row = edition.insurance.find(
    (one) =>
      one.bet === offer.bet &&
      one.after === offer.after &&
      one.player_points.includes(offer.player_points) &&
      one.banker_points.includes(offer.banker_points),
  );
  return row?.tie_pays ?? false;
}

/** The hand that an insurance protects is the one it is named for. */
export const insuredHand = (bet: string): Ending => (bet.startsWith("banker") ? "banker" : "player");

/** What the stake gives or costs when the round ends so. */
export function insuranceNet(edition: Edition, offer: OnOffer, stake: Cents, ending: Ending): Cents {
  if (ending === "tie") return tiePays(edition, offer) ? winnings(stake, offer.odds) : 0;
  return ending === insuredHand(offer.bet) ? -stake : winnings(stake, offer.odds);
}

/** Whether who wins decides a bet: the preview counts it. What other side bets come to hangs on the cards too. */
export function counted(edition: Edition, bet: string): boolean {
  return edition.bets[bet]?.main === true || bet === "tie";
}

/** The main bets and the tie as they lie, and insurance beside them. */
export function preview(edition: Edition, offer: OnOffer, stake: Cents, wagers: Wager[], ending: Ending): Net {
  const net: Net = { low: 0, high: 0 };
  for (const one of wagers) {
    const rule = edition.bets[one.bet];
    if (!rule || !counted(edition, one.bet)) continue;
    const staked = cents(one.in_play);
    if (one.bet === ending) {
      const pays = rule.pays.map((row) => winnings(staked, row.odds));
      net.low += Math.min(...pays);
      net.high += Math.max(...pays);
    } else if (!(rule.main && ending === "tie")) {
      net.low -= staked;
      net.high -= staked;
    }
  }
  const insured = insuranceNet(edition, offer, stake, ending);
  return { low: net.low + insured, high: net.high + insured };
}

/** A quarter, a half or the whole of what may be staked, in whole units where that leaves anything. */
export function part(most: Cents, quarters: 1 | 2 | 4): Cents {
  const exact = Math.trunc((most * quarters) / 4);
  const whole = exact - (exact % 100);
  return quarters === 4 || whole === 0 ? exact : whole;
}
