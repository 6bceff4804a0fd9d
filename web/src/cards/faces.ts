// How a card looks: suit shapes in a 20 × 20 square, and the pips of a number card (in hundredths of the pip area).

export const SUITS: Record<string, { path: string; red: boolean; name: string }> = {
  S: {
    path: "M10 1.5C16 6.6 18.6 9.4 18.6 12.3A4.2 4.2 0 0 1 11.2 15c.3 1.6 1 2.7 2.2 3.5H6.6c1.2-.8 1.9-1.9 2.2-3.5A4.2 4.2 0 0 1 1.4 12.3C1.4 9.4 4 6.6 10 1.5Z",
    red: false,
    name: "♠",
  },
  H: {
    path: "M10 18.2C4 13 1.3 9.8 1.3 6.4A4.6 4.6 0 0 1 10 4.5 4.6 4.6 0 0 1 18.7 6.4C18.7 9.8 16 13 10 18.2Z",
    red: true,
    name: "♥",
  },
  D: { path: "M10 1 17.2 10 10 19 2.8 10Z", red: true, name: "♦" },
  C: {
    path: "M10 1.2a4.1 4.1 0 0 1 3.5 6.3 4.1 4.1 0 1 1-2.3 6.3c.3 2 1 3.5 2.3 4.7h-7c1.3-1.2 2-2.7 2.3-4.7a4.1 4.1 0 1 1-2.3-6.3A4.1 4.1 0 0 1 10 1.2Z",
    red: false,
    name: "♣",
  },
};

const LEFT = 18;
const MIDDLE = 50;
const RIGHT = 82;

/** Pips as x, y in percent. Those below the middle are drawn upside down. */
export const PIPS: Record<string, [number, number][]> = {
  A: [[MIDDLE, 50]],
  "2": [[MIDDLE, 8], [MIDDLE, 92]],
  "3": [[MIDDLE, 8], [MIDDLE, 50], [MIDDLE, 92]],
  "4": [[LEFT, 8], [RIGHT, 8], [LEFT, 92], [RIGHT, 92]],
  "5": [[LEFT, 8], [RIGHT, 8], [MIDDLE, 50], [LEFT, 92], [RIGHT, 92]],
  "6": [[LEFT, 8], [RIGHT, 8], [LEFT, 50], [RIGHT, 50], [LEFT, 92], [RIGHT, 92]],
  "7": [[LEFT, 8], [RIGHT, 8], [MIDDLE, 29], [LEFT, 50], [RIGHT, 50], [LEFT, 92], [RIGHT, 92]],
  "8": [[LEFT, 8], [RIGHT, 8], [MIDDLE, 29], [LEFT, 50], [RIGHT, 50], [MIDDLE, 71], [LEFT, 92], [RIGHT, 92]],
  "9": [[LEFT, 8], [RIGHT, 8], [LEFT, 36], [RIGHT, 36], [MIDDLE, 50], [LEFT, 64], [RIGHT, 64], [LEFT, 92], [RIGHT, 92]],
  T: [[LEFT, 8], [RIGHT, 8], [MIDDLE, 22], [LEFT, 36], [RIGHT, 36], [LEFT, 64], [RIGHT, 64], [MIDDLE, 78], [LEFT, 92], [RIGHT, 92]],
};

export const rankOf = (card: string): string => card.slice(0, -1).toUpperCase();
export const suitOf = (card: string): string => card.slice(-1).toUpperCase();
export const rankText = (card: string): string => (rankOf(card) === "T" ? "10" : rankOf(card));

/** A card as text: 9♥. */
export const cardText = (card: string): string => rankText(card) + (SUITS[suitOf(card)]?.name ?? "");
