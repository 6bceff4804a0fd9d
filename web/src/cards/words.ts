import type { Words } from "../words/speak";

export const cardWords = {
  "face-down": ["Card face down", "蓋着的牌", "盖着的牌"],
  squeeze: ["Squeeze the card: drag it upward and let go, or press Enter", "咪牌：向上拖曳後放開，或按 Enter", "咪牌：向上拖动后放开，或按 Enter"],
  drag: ["Drag to squeeze", "拖曳咪牌", "拖动咪牌"],
} as const satisfies Words;
