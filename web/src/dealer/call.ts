import type { TableEvent } from "../lib/shapes";
import { room } from "../words/room.svelte";
import { speak } from "../words/speak";
import { dealerWords } from "./words";

const t = speak(dealerWords);

/** What staff called at an event, in the page's language. In English it is the call on record; in Chinese it is made
 * from the facts of the event. "" if nothing was called. */
export function called({ event, says, player_points: player, banker_points: banker, winner }: Partial<TableEvent>): string {
  if (typeof says !== "string" || room.language === "en") return String(says ?? "");
  if (event === "betting-opened") return t("say-open");
  if (event === "betting-closed") return t("say-close");
  return t("say-result", { player: Number(player), banker: Number(banker), winner: t(`wins.${winner as "tie"}`) });
}
