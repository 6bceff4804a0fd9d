// A sheet of paper that is folded over: where it was taken hold of, where that point is now, and what follows. Nothing is drawn here.
// Points are those of the card as it lies, back up: 100 wide and 140 high.

export interface Point {
  x: number;
  y: number;
}

/** Where the card is held: a point of its edge, and which corner that is, clockwise from the upper left, if it is one. */
export interface Hold extends Point {
  corner: number | null;
}

/** The line of the fold: through a point, with the direction in which the paper goes. */
interface Fold {
  at: Point;
  normal: Point;
}

export interface Peeled {
  /** What still lies, and what was lifted, as corners in order. */
  lies: Point[];
  lifted: Point[];
  /** The mirror of the fold, for `matrix(…)`: what was lifted lies over there now. */
  mirror: [number, number, number, number, number, number];
  /** From the fold to the outermost point of what was lifted, as it lies now: along it the light falls. */
  from: Point;
  to: Point;
  /** How much of the card is lifted, from 0 to 1. */
  share: number;
}

export const WIDTH = 100;
export const HEIGHT = 140;
const CORNERS: readonly Point[] = [
  { x: 0, y: 0 },
  { x: WIDTH, y: 0 },
  { x: WIDTH, y: HEIGHT },
  { x: 0, y: HEIGHT },
];
/** So near a corner it is the corner that is held. */
const CORNER_REACH = 24;

/** What is held by a finger at a point: the corner that is near, or else the nearest point of an edge. */
export function hold(at: Point): Hold {
  const near = CORNERS.map((one) => Math.hypot(one.x - at.x, one.y - at.y));
  const corner = near.indexOf(Math.min(...near));
  if (near[corner]! <= CORNER_REACH) return { ...CORNERS[corner]!, corner };
  const x = Math.min(Math.max(at.x, 0), WIDTH);
  const y = Math.min(Math.max(at.y, 0), HEIGHT);
  const [left, right, top, bottom] = [x, WIDTH - x, y, HEIGHT - y];
  const least = Math.min(left, right, top, bottom);
  if (least === left) return { x: 0, y, corner: null };
  if (least === right) return { x: WIDTH, y, corner: null };
  return { x, y: least === top ? 0 : HEIGHT, corner: null };
}

/** The corner or the middle of the edge that lies in a direction: -1, 0 or 1 each way. */
export function holdTowards(x: number, y: number): Hold {
  return hold({ x: (WIDTH / 2) * (1 + x), y: (HEIGHT / 2) * (1 + y) });
}

/** The way into the card from where it is held. */
export function inward(held: Hold): Point {
  const towards = held.corner === null ? { x: edge(held.x, WIDTH), y: edge(held.y, HEIGHT) } : { x: WIDTH / 2 - held.x, y: HEIGHT / 2 - held.y };
  const long = Math.hypot(towards.x, towards.y) || 1;
  return { x: towards.x / long, y: towards.y / long };
}

const edge = (value: number, most: number): number => (value === 0 ? 1 : value === most ? -1 : 0);

/** The paper with the held point moved to another: it folds along the line halfway between. Nothing while it hardly moved or was drawn away. */
export function peel(held: Hold, moved: Point): Peeled | null {
  const way = { x: moved.x - held.x, y: moved.y - held.y };
  const long = Math.hypot(way.x, way.y);
  const into = inward(held);
  if (long < 1 || way.x * into.x + way.y * into.y <= 0) return null;
  const fold: Fold = { at: { x: held.x + way.x / 2, y: held.y + way.y / 2 }, normal: { x: way.x / long, y: way.y / long } };
  const lifted = half(fold, -1);
  const share = area(lifted) / (WIDTH * HEIGHT);
  if (share < 0.001) return null;
  const deepest = Math.max(...lifted.map((one) => -beyond(fold, one)));
  return {
    lies: half(fold, 1),
    lifted,
    mirror: mirrored(fold),
    from: fold.at,
    to: { x: fold.at.x + fold.normal.x * deepest, y: fold.at.y + fold.normal.y * deepest },
    share,
  };
}

/** How far a point lies beyond the fold, in the direction in which the paper goes. */
const beyond = ({ at, normal }: Fold, one: Point): number => (one.x - at.x) * normal.x + (one.y - at.y) * normal.y;

/** The part of the card on one side of the fold. */
function half(fold: Fold, side: 1 | -1): Point[] {
  const kept: Point[] = [];
  for (const [i, here] of CORNERS.entries()) {
    const next = CORNERS[(i + 1) % CORNERS.length]!;
    const [a, b] = [beyond(fold, here) * side, beyond(fold, next) * side];
    if (a >= 0) kept.push(here);
    if (a * b < 0) {
      const part = a / (a - b);
      kept.push({ x: here.x + (next.x - here.x) * part, y: here.y + (next.y - here.y) * part });
    }
  }
  return kept;
}

function area(points: Point[]): number {
  return Math.abs(points.reduce((sum, one, i) => sum + one.x * points[(i + 1) % points.length]!.y - points[(i + 1) % points.length]!.x * one.y, 0)) / 2;
}

function mirrored({ at, normal: { x, y } }: Fold): Peeled["mirror"] {
  const far = 2 * (at.x * x + at.y * y);
  return [1 - 2 * x * x, -2 * x * y, -2 * x * y, 1 - 2 * y * y, far * x, far * y];
}

export const outline = (points: Point[]): string => points.map((one) => `${one.x.toFixed(2)},${one.y.toFixed(2)}`).join(" ");
