import type { Edition } from "../lib/reference.svelte";
import { term } from "../words/terms";

/** A bet's name in the page's language. The edition has no name for insurance, so its name is made from its id. */
export function betName(rules: Edition | null, bet: string): string {
  const called = () => bet.split("_").map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" ");
  return term(rules?.bets[bet]?.name ?? called());
}
