import type { Words } from "../words/speak";

export const cardWords = {
  "face-down": ["Card face down", "蓋着的牌", "盖着的牌"],
  squeeze: ["Squeeze the card: drag it upward and let go, or press Enter", "瞇牌：向上拖曳後放開，或按 Enter", "眯牌：向上拖动后放开，或按 Enter"],
  drag: ["Drag to squeeze", "拖曳瞇牌", "拖动眯牌"],
} as const satisfies Words;
