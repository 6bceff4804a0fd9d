import type { Words } from "../words/speak";

export const cardWords = {
  "face-down": ["Card face down", "蓋着的牌", "盖着的牌"],
  squeeze: ["The card that you squeeze. Enter turns it.", "你要瞇的牌。按 Enter 開牌。", "你要眯的牌。按 Enter 开牌。"],
  squeezing: ["Your squeeze", "你的瞇牌", "你的眯牌"],
  hint: [
    "Take any edge or corner and draw it over. Only you see it; let go past the middle to show it to all.",
    "從任何一邊或一角揭起。只有你看得到；揭過一半放手，即向全枱開牌。",
    "从任何一边或一角揭起。只有你看得到；揭过一半放手，即向全台开牌。",
  ],
  "hint.keys": [
    "Keys: arrows lift an edge, Home, End, Page Up and Page Down a corner, Enter turns.",
    "按鍵：方向鍵揭邊，Home、End、Page Up、Page Down 揭角，Enter 開牌。",
    "按键：方向键揭边，Home、End、Page Up、Page Down 揭角，Enter 开牌。",
  ],
  "hint.calm": ["Press the card to turn it for all.", "按一下牌，即向全枱開牌。", "按一下牌，即向全台开牌。"],
  nth: ["Card {number}", "第 {number} 張", "第 {number} 张"],
  seconds: ["{seconds} seconds left", "尚餘 {seconds} 秒", "尚余 {seconds} 秒"],
  "seconds.none": ["The clock does not run yet", "尚未計時", "尚未计时"],
} as const satisfies Words;
