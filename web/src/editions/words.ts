import type { Words } from "../words/speak";

/** The choice of an edition. */
export const editionWords = {
  game: ["Game", "遊戲", "游戏"],
  edition: ["Edition", "版本", "版本"],
  "in-force": ["{edition} (in force)", "{edition}（生效中）", "{edition}（生效中）"],
} as const satisfies Words;
