// The score boards as the house sends them: six rows of text per board, `.` for an empty cell. Here text becomes cells;
// nothing is derived.

export interface RoadsAnswer {
  bead: string[];
  big_road: string[];
  ties: string[];
  big_eye: { sequence: string; rows: string[] };
  small: { sequence: string; rows: string[] };
  cockroach: { sequence: string; rows: string[] };
  ask: Record<"B" | "P", { big_eye: string | null; small: string | null; cockroach: string | null }>;
  results?: string;
  pairs?: { hand: number; player: boolean; banker: boolean }[];
  counts?: Record<string, number>;
}

export interface Cell {
  column: number;
  row: number;
  mark: string;
}

export const ROWS = 6;

/** The marked cells of a board, shifted so that the last `columns` are in sight. */
export function cells(rows: string[], columns: number): Cell[] {
  const first = firstColumn(rows, columns);
  const marked: Cell[] = [];
  for (const [row, text] of rows.entries()) {
    for (let at = first; at < text.length; at++) {
      const mark = text[at]!;
      if (mark !== ".") marked.push({ column: at - first, row, mark });
    }
  }
  return marked;
}

/** The first visible column. The newest column is always visible. */
export function firstColumn(rows: string[], columns: number): number {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  return Math.max(width - columns, 0);
}

export interface Counts {
  player: number;
  banker: number;
  tie: number;
}

export function count(results: string): Counts {
  const of = (mark: string): number => results.split(mark).length - 1;
  return { player: of("P"), banker: of("B"), tie: of("T") };
}
