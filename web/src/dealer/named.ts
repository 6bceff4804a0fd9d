import type { Edition } from "../lib/reference.svelte";
import { room } from "../words/room.svelte";
import { term } from "../words/terms";

/** A bet's name in the room's language. Insurance has a pay table in the edition and no name there: it is called what it is. */
export function betName(rules: Edition | null, bet: string): string {
  const insured = /^(player|banker)_insurance$/.exec(bet);
  const own = insured ? `${insured[1] === "player" ? "Player" : "Banker"} Insurance` : rules?.bets[bet]?.name;
  return term(own ?? bet, room.language);
}
