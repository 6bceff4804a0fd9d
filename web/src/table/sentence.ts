import type { Problem } from "../lib/api";
import type { Edition } from "../lib/reference.svelte";
import { room } from "../words/room.svelte";
import { say, type Values } from "../words/speak";
import { term } from "../words/terms";
import { tableWords } from "./words";

/** A refusal as a sentence: the page's own words where it has them and knows what they speak of, else the house's, in which bets
 * are called by their names. */
export function sentence(problem: Problem, edition: Edition | null = null): string {
  const own = `refused.${problem.code}`;
  if (own in tableWords) {
    const text = say(tableWords, room.language, own, facts(problem.detail, edition));
    if (!/\{\w+\}/.test(text)) return text;
  }
  const text = named(problem.detail || problem.code, edition);
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.?]$/.test(text) ? "" : ".");
}

/** What the house's sentence speaks of: the first bet in it, the box, and the room that a limit leaves. */
function facts(detail: string, edition: Edition | null): Values {
  const found: Values = {};
  const bet = detail.match(/\w+/g)?.find((word) => edition?.bets[word]);
  const rule = bet ? edition!.bets[bet]! : null;
  if (rule) found.bet = term(rule.name);
  if (rule?.hands) found.hands = rule.hands;
  const box = /\bbox (\d+)/.exec(detail)?.[1];
  if (box) found.box = box;
  const left = /\broom for ([\d.]*\d)/.exec(detail)?.[1];
  if (left) found.room = left;
  return found;
}

/** Names in place of ids. Only ids of several words can be told from plain ones. */
function named(detail: string, edition: Edition | null): string {
  return detail.replace(/\b[a-z]+_\w+\b/g, (id) => (edition?.bets[id] ? term(edition.bets[id]!.name) : id));
}
