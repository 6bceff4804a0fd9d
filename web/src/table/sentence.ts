import type { Problem } from "../lib/api";
import { sayKnown } from "../words/speak";
import { tableWords } from "./words";

/** A refusal as a sentence: the page's own words where it has them, else the house's. */
export function sentence(problem: Problem): string {
  const own = sayKnown(tableWords, `refused.${problem.code}`, "");
  if (own) return own;
  const text = problem.detail || problem.code;
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.?]$/.test(text) ? "" : ".");
}
