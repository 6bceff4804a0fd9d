// The limits of a table as a form has them.

import { amountOf } from "../dealer/entry";
import type { Limits } from "../lib/shapes";

interface Figures {
  minimum: string;
  maximum: string;
}

/** What is typed into a form for limits. */
export interface LimitTexts extends Figures {
  differential: string;
  /** What each bet has of its own. */
  own: Record<string, Figures>;
}

const plain = (text: string | null | undefined): string => (text ?? "").replace(/\.00$/, "");

/** The texts that a form starts with. A bet without figures of its own has empty fields, and none are sent for it: what
 * holds for it then is the game's to say (D1). */
export function fieldsOf(limits: Limits, bets: string[]): LimitTexts {
  const own = (bet: string): Figures => ({ minimum: plain(limits.bets[bet]?.minimum), maximum: plain(limits.bets[bet]?.maximum) });
  return {
    minimum: plain(limits.minimum),
    maximum: plain(limits.maximum),
    differential: plain(limits.maximum_differential),
    own: Object.fromEntries(bets.map((bet) => [bet, own(bet)])),
  };
}

/** Null if it is no amount; "" if nothing is entered. */
const read = (text: string): string | null => (text.trim() ? amountOf(text) : "");

/** The limits for the house; null while a figure is missing or no amount. What the form does not show is as in `from`. */
export function limitsOf(fields: LimitTexts, bets: string[], from: Limits): Limits | null {
  const [minimum, maximum, differential] = [read(fields.minimum), read(fields.maximum), read(fields.differential)];
  const single = bets.map((bet) => [bet, read(fields.own[bet]?.minimum ?? ""), read(fields.own[bet]?.maximum ?? "")] as const);
  if (!minimum || maximum === null || !differential || single.some(([, least, most]) => least === null || most === null)) return null;
  return {
    minimum,
    maximum: maximum || null,
    maximum_differential: differential,
    scope: from.scope,
    ...(from.late ? { late: from.late } : {}),
    bets: Object.fromEntries(single.filter(([, least, most]) => least || most).map(([bet, least, most]) => [bet, { minimum: least || null, maximum: most || null }])),
  };
}

/** What the form of a new table starts from: the general limits of another table. Its limits of single bets and late in
 * the shoe are its own; the form does not even show the latter. */
export function startingLimits(other: Limits | undefined): Limits {
  if (!other) return { minimum: "", maximum: null, maximum_differential: "", scope: "box", bets: {} };
  const { minimum, maximum, maximum_differential, scope } = other;
  return { minimum, maximum, maximum_differential, scope, bets: {} };
}
