import type { Words } from "../words/speak";

export const shoeWords = {
  title: ["Shoe {shoe} of {table}", "{table} 第 {shoe} 靴", "{table} 第 {shoe} 靴"],
  lead: [
    "Before its first card the house commits to the order of a virtual shoe: it shows a hash that nobody can guess the order from. When the shoe has ended it shows salt and order, and anybody can hash them and compare.",
    "虛擬牌靴派首張牌前，系統先公布牌序的雜湊值，無人能由此推知牌序；牌靴結束後公布鹽值與牌序，任何人都可核對。",
    "虚拟牌靴派首张牌前，系统先公布牌序的哈希值，无人能由此推知牌序；牌靴结束后公布盐值与牌序，任何人都可核对。",
  ],
  commitment: ["Commitment", "承諾值", "承诺值"],
  salt: ["Salt", "鹽值", "盐值"],
  order: ["Order of the {count} cards", "{count} 張牌的次序", "{count} 张牌的次序"],
  left: ["{left} of {count} cards have left the shoe.", "{count} 張牌中已派出 {left} 張。", "{count} 张牌中已派出 {left} 张。"],
  "is.good": [
    "Checked in this browser: the commitment is the SHA-256 of salt and order, and the {left} cards that left the shoe are the first {left} of it.",
    "已在此瀏覽器核對：承諾值等於鹽值與牌序的 SHA-256，派出的 {left} 張牌正是牌序的首 {left} 張。",
    "已在此浏览器核对：承诺值等于盐值与牌序的 SHA-256，派出的 {left} 张牌正是牌序的首 {left} 张。",
  ],
  "is.not-yet": ["Salt and order are shown when this shoe has ended.", "鹽值與牌序於牌靴結束後公布。", "盐值与牌序于牌靴结束后公布。"],
  "is.unable": ["A browser checks this over a secure connection only. The command below checks it anywhere.", "瀏覽器只能經安全連線核對；可改用下列指令。", "浏览器只能经安全连接核对；可改用下列命令。"],
  "is.hash": ["NOT as committed to: the commitment is not the hash of salt and order.", "不符：承諾值並非鹽值與牌序的雜湊值。", "不符：承诺值并非盐值与牌序的哈希值。"],
  "is.decks": ["NOT as committed to: the order does not consist of whole decks.", "不符：牌序並非完整的牌副。", "不符：牌序并非完整的牌副。"],
  "is.card": ["NOT as committed to: card {at} of the shoe was another one.", "不符：第 {at} 張牌與承諾不同。", "不符：第 {at} 张牌与承诺不同。"],
  "by-hand": ["By hand", "自行核對", "自行核对"],
  record: ["The shoe as data", "牌靴資料", "牌靴资料"],
  none: ["Nothing is committed to here: this is no virtual table, or it has no such shoe.", "此處沒有承諾值：並非虛擬枱，或沒有此牌靴。", "此处没有承诺值：并非虚拟台，或没有此牌靴。"],
  earlier: ["Shoe {shoe}", "第 {shoe} 靴", "第 {shoe} 靴"],
  table: ["To the table", "前往賭枱", "前往赌台"],
} as const satisfies Words;
