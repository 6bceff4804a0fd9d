import type { Edition } from "../lib/reference.svelte";
import { term } from "../words/terms";

/** A bet's name in the room's language. Insurance has a pay table in the edition and no name there: it is called by its id. */
export function betName(rules: Edition | null, bet: string): string {
  const called = () => bet.split("_").map((one) => one.charAt(0).toUpperCase() + one.slice(1)).join(" ");
  return term(rules?.bets[bet]?.name ?? called());
}
