import type { Words } from "../words/speak";

export const roadWords = {
  roads: ["Roads", "路紙", "路纸"],
  bead: ["Bead plate", "珠盤路", "珠盘路"],
  "big-road": ["Big Road", "大路", "大路"],
  big_eye: ["Big Eye Boy", "大眼仔", "大眼仔"],
  small: ["Small Road", "小路", "小路"],
  cockroach: ["Cockroach Pig", "小強路", "小强路"],
  "ask.B": ["If Banker", "庄問路", "庄问路"],
  "ask.P": ["If Player", "閒問路", "闲问路"],
  "no-odds": ["Roads record the past. They change no odds.", "路紙只記錄過去，不會改變賠率。", "路纸只记录过去，不会改变赔率。"],
  none: ["No result in this shoe yet", "本靴尚無結果", "本靴尚无结果"],
  regular: ["regular", "齊整", "齐整"],
  irregular: ["irregular", "不齊", "不齐"],
  B: ["Banker", "庄", "庄"],
  P: ["Player", "閒", "闲"],
  T: ["Tie", "和", "和"],
  "B.pair": ["Banker Pair", "庄對", "庄对"],
  "P.pair": ["Player Pair", "閒對", "闲对"],
  summary: ["{count} hands: Banker {banker}, Player {player}, Tie {tie}", "共 {count} 局：庄 {banker}，閒 {player}，和 {tie}", "共 {count} 局：庄 {banker}，闲 {player}，和 {tie}"],
} as const satisfies Words;
