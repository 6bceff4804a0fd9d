/** Rows of cards that are put into order by hand: by dragging, or by keys on the card in focus. */

export type Rows = string[][];

export interface At {
  row: number;
  at: number;
}

/** The card at `from` taken out and put in before the place `to`. */
export function moved(rows: Rows, from: At, to: At): Rows {
  const card = rows[from.row]?.[from.at];
  if (card === undefined || !rows[to.row]) return rows;
  const without = rows.map((row, i) => (i === from.row ? row.filter((_, at) => at !== from.at) : row));
  const at = from.row === to.row && to.at > from.at ? to.at - 1 : to.at;
  return without.map((row, i) => (i === to.row ? [...row.slice(0, at), card, ...row.slice(at)] : row));
}

/** Where a key moves the card, or null if it does not move it: arrow keys along the row and to the row beside. */
export function keyed(rows: Rows, from: At, key: string): At | null {
  const { row, at } = from;
  if (key === "ArrowLeft") return at > 0 ? { row, at: at - 1 } : null;
  if (key === "ArrowRight") return at < rows[row]!.length - 1 ? { row, at: at + 1 } : null;
  if (key === "ArrowUp") return row > 0 ? { row: row - 1, at: Math.min(at, rows[row - 1]!.length) } : null;
  if (key === "ArrowDown") return row < rows.length - 1 ? { row: row + 1, at: Math.min(at, rows[row + 1]!.length) } : null;
  return null;
}

/** The rows after a key has moved a card. `to` is the card's place afterwards. */
export function shifted(rows: Rows, from: At, to: At): Rows {
  const before = from.row === to.row && to.at > from.at ? { ...to, at: to.at + 1 } : to;
  return moved(rows, from, before);
}

export function without(rows: Rows, from: At): Rows {
  return rows.map((row, i) => (i === from.row ? row.filter((_, at) => at !== from.at) : row));
}
