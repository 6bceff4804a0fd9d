import type { Problem } from "../lib/api";
import type { Edition } from "../lib/reference.svelte";
import { room } from "../words/room.svelte";
import { say, type Values } from "../words/speak";
import { term } from "../words/terms";
import { tableWords } from "./words";

/** A refusal as a sentence: in the page's words if it has a text for the code and all facts, else in the house's. */
export function sentence({ code, detail, facts }: Problem, edition: Edition | null = null): string {
  const own = `refused.${code}`;
  if (own in tableWords) {
    const text = say(tableWords, room.language, own, named(facts, edition));
    if (!/\{\w+\}/.test(text)) return text;
  }
  const text = detail || code;
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.?]$/.test(text) ? "" : ".");
}

/** Replaces a bet's id by its name. Without the edition the bet is left out, so that no id is shown. */
function named({ bet, ...facts }: Values, edition: Edition | null): Values {
  const rule = bet === undefined ? undefined : edition?.bets[bet];
  return rule ? { ...facts, bet: term(rule.name) } : facts;
}
