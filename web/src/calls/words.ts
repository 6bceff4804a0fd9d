import type { Words } from "../words/speak";

/** The calls of a round, and the texts of the sound controls. */
export const callWords = {
  open: ["Place your Bets, please", "請下注", "请下注"],
  close: ["No more Bets", "停止下注", "停止下注"],
  deal: ["Cards are dealt", "正在派牌", "正在派牌"],
  turn: ["Cards are turned", "正在開牌", "正在开牌"],
  natural: ["Natural {points}", "例牌 {points} 點", "例牌 {points} 点"],
  "player-draws": ["Player draws", "閒補牌", "闲补牌"],
  "player-stands": ["Player stands on {points}", "閒 {points} 點不補", "闲 {points} 点不补"],
  "banker-draws": ["Banker draws", "庄補牌", "庄补牌"],
  "banker-stands": ["Banker stands on {points}", "庄 {points} 點不補", "庄 {points} 点不补"],
  "player_insurance": ["Insurance on Player {points}", "閒 {points} 點可買保險", "闲 {points} 点可买保险"],
  "banker_insurance": ["Insurance on Banker {points}", "庄 {points} 點可買保險", "庄 {points} 点可买保险"],
  result: ["Player {player}, Banker {banker}, {winner}", "閒 {player} 點，庄 {banker} 點，{winner}", "闲 {player} 点，庄 {banker} 点，{winner}"],
  "wins.player": ["Player wins", "閒贏", "闲赢"],
  "wins.banker": ["Banker wins", "庄贏", "庄赢"],
  "wins.tie": ["Tie", "和局", "和局"],
  sound: ["Sound and voice", "聲音與叫牌", "声音与叫牌"],
  voice: ["Voice", "叫牌語音", "叫牌语音"],
  "voice.cantonese": ["Cantonese", "廣東話", "广东话"],
  "voice.mandarin": ["Mandarin", "普通話", "普通话"],
  "heard.chips": ["chips", "籌碼聲", "筹码声"],
  "heard.card": ["a card", "派牌聲", "派牌声"],
} as const satisfies Words;
