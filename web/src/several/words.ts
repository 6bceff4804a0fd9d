import type { Words } from "../words/speak";

export const severalWords = {
  title: ["Side by side", "並排賭枱", "并排赌台"],
  tables: ["Tables", "賭枱", "赌台"],
  add: ["Add a table", "加一枱", "加一台"],
  none: ["Choose tables in the lobby first.", "請先在大廳選擇賭枱。", "请先在大厅选择赌台。"],
  off: ["Take {name} off the screen", "關閉 {name}", "关闭 {name}"],
  whole: ["Open {name} alone", "單獨開啟 {name}", "单独开启 {name}"],
  sit: ["Sit with {chips}", "帶 {chips} 入座", "带 {chips} 入座"],
  stand: ["Play with {chips}", "帶 {chips} 參與", "带 {chips} 参与"],
  empty: ["Your wallet is empty. Take chips back at another table.", "錢包已空，請從其他賭枱取回籌碼。", "钱包已空，请从其他赌台取回筹码。"],
  half: ["Half to the wallet", "一半回錢包", "一半回钱包"],
  wallet: ["Wallet {wallet}", "錢包 {wallet}", "钱包 {wallet}"],
  gone: ["This table is not there.", "沒有此賭枱。", "没有此赌台。"],
  lost: ["Reconnecting. Nothing can be laid now.", "正在重新連線，暫不能下注。", "正在重新连接，暂不能下注。"],
} as const satisfies Words;
