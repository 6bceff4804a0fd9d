// A bet of the watch's figures in the room's words: a bet by its name, an offer of insurance by when and on which points.

import { term } from "../words/terms";

export function nameOf(bet: string): string {
  const offer = /^insurance (\S+) (\d+):(\d+)$/.exec(bet);
  if (offer) return `${term("Insurance")} ${offer[2]} : ${offer[3]}${offer[1] === "player-third" ? " · 3" : ""}`;
  return term(bet.split("_").map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" "));
}
