import { speak } from "../words/speak";
import { dealerWords } from "./words";

const t = speak(dealerWords);

/** What staff called, in the room's language. A call that the page has no words for stays as it was made. */
export function called(says: string): string {
  if (says === "Place your Bets, please") return t("say-open");
  if (says === "No more Bets") return t("say-close");
  const found = /^Player (\d), Banker (\d), (Player wins|Banker wins|a tie)$/.exec(says);
  if (!found) return says;
  const winner = ({ P: "player", B: "banker", a: "tie" } as const)[found[3]![0] as "P"];
  return t("say-result", { player: found[1]!, banker: found[2]!, winner: t(`wins.${winner}`) });
}
