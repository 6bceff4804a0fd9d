// The name of a bet in the watch's figures, in the page's language; insurance by its points and moment.

import { term } from "../words/terms";

export function nameOf(bet: string): string {
  const offer = /^insurance (\S+) (\d+):(\d+)$/.exec(bet);
  if (offer) return `${term("Insurance")} ${offer[2]} : ${offer[3]}${offer[1] === "player-third" ? " · 3" : ""}`;
  return term(bet.split("_").map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" "));
}
