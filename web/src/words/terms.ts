// Names of bets and hands come from the edition, in English. In Chinese they are put together from the trade's own
// terms, word by word, so that bets of future editions have names too. The documents' own names (閒 庄) are among them.

import { room, type Language } from "./room.svelte";

/** Term → Traditional, Simplified. Longer terms first where one begins with another. */
const TERMS: [term: string, hant: string, hans: string][] = [
  ["Non-Commission", "免佣", "免佣"],
  ["no commission", "免佣", "免佣"],
  ["Commission", "佣金", "佣金"],
  ["commission", "佣金", "佣金"],
  ["Insurance Plus", "升級保險", "升级保险"],
  [" with ", "附", "附"],
  ["Wu Dalang", "武大郎", "武大郎"],
  ["Char Siu", "叉燒", "叉烧"],
  ["Baccarat", "百家樂", "百家乐"],
  ["Insurance", "保險", "保险"],
  ["Natural", "例牌", "例牌"],
  ["Buffalo", "水牛", "水牛"],
  ["Player", "閒", "闲"],
  ["Banker", "庄", "庄"],
  ["Tiger", "老虎", "老虎"],
  ["Super", "超級", "超级"],
  ["Small", "小", "小"],
  ["Live", "真人", "真人"],
  ["Plus", "升級", "升级"],
  ["Pair", "對", "对"],
  ["Big", "大", "大"],
  ["Tie", "和", "和"],
];

/** A name in the language; a word that has no term stays as it is. */
export function term(name: string, language: Language = room.language): string {
  if (language === "en") return name;
  const column = language === "zh-Hant" ? 1 : 2;
  let text = name;
  for (const row of TERMS) text = text.replaceAll(row[0], row[column]);
  return text.replace(/\s+(?=\P{ASCII})|(?<=\P{ASCII})\s+/gu, "");
}
