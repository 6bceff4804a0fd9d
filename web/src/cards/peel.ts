// The geometry of a card that is peeled open: from the point where it is held, and where that point is now, follows the
// fold. Nothing is drawn here. Points are those of the face-down card, 100 wide and 140 high.

export interface Point {
  x: number;
  y: number;
}

/** Where the card is held: a point of its edge. `corner` counts clockwise from the upper left; else it is null. */
export interface Hold extends Point {
  corner: number | null;
}

/** The line of the fold: a point on it, and the direction in which the paper moves. */
interface Fold {
  at: Point;
  normal: Point;
}

export interface Peeled {
  /** The part that still lies flat, and the part that is lifted, each as its corners in order. */
  lies: Point[];
  lifted: Point[];
  /** The reflection across the fold, for `matrix(…)`. It takes the lifted part to where it is now. */
  mirror: [number, number, number, number, number, number];
  /** From the fold to the outermost point of the lifted part, where it is now. The shading runs along this line. */
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
/** Within this distance of a corner, the corner is held. */
const CORNER_REACH = 24;

/** What a finger at a point holds: a corner if one is near, else the nearest point of an edge. */
export function hold(at: Point): Hold {
  const near = CORNERS.map((point) => Math.hypot(point.x - at.x, point.y - at.y));
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

/** The corner, or the middle of the edge, in a direction. `x` and `y` are -1, 0 or 1. */
export function holdTowards(x: number, y: number): Hold {
  return hold({ x: (WIDTH / 2) * (1 + x), y: (HEIGHT / 2) * (1 + y) });
}

/** The direction from the held point into the card. */
export function inward(held: Hold): Point {
  const towards = held.corner === null ? { x: edge(held.x, WIDTH), y: edge(held.y, HEIGHT) } : { x: WIDTH / 2 - held.x, y: HEIGHT / 2 - held.y };
  const long = Math.hypot(towards.x, towards.y) || 1;
  return { x: towards.x / long, y: towards.y / long };
}

const edge = (value: number, most: number): number => (value === 0 ? 1 : value === most ? -1 : 0);

/** The card with the held point moved elsewhere: it folds along the line halfway between. Null while the point has
 * hardly moved, or has moved away from the card. */
export function peel(held: Hold, moved: Point): Peeled | null {
  const way = { x: moved.x - held.x, y: moved.y - held.y };
  const long = Math.hypot(way.x, way.y);
  const into = inward(held);
  if (long < 1 || way.x * into.x + way.y * into.y <= 0) return null;
  const fold: Fold = { at: { x: held.x + way.x / 2, y: held.y + way.y / 2 }, normal: { x: way.x / long, y: way.y / long } };
  const lifted = half(fold, -1);
  const share = area(lifted) / (WIDTH * HEIGHT);
  if (share < 0.001) return null;
  const deepest = Math.max(...lifted.map((point) => -pastFold(fold, point)));
  return {
    lies: half(fold, 1),
    lifted,
    mirror: mirrored(fold),
    from: fold.at,
    to: { x: fold.at.x + fold.normal.x * deepest, y: fold.at.y + fold.normal.y * deepest },
    share,
  };
}

/** How far a point lies beyond the fold, in the direction in which the paper moves. */
const pastFold = ({ at, normal }: Fold, point: Point): number => (point.x - at.x) * normal.x + (point.y - at.y) * normal.y;

/** The part of the card on one side of the fold. */
function half(fold: Fold, side: 1 | -1): Point[] {
  const kept: Point[] = [];
  for (const [i, here] of CORNERS.entries()) {
    const next = CORNERS[(i + 1) % CORNERS.length]!;
    const [a, b] = [pastFold(fold, here) * side, pastFold(fold, next) * side];
    if (a >= 0) kept.push(here);
    if (a * b < 0) {
      const part = a / (a - b);
      kept.push({ x: here.x + (next.x - here.x) * part, y: here.y + (next.y - here.y) * part });
    }
  }
  return kept;
}

function area(points: Point[]): number {
  return Math.abs(points.reduce((sum, point, i) => sum + point.x * points[(i + 1) % points.length]!.y - points[(i + 1) % points.length]!.x * point.y, 0)) / 2;
}

function mirrored({ at, normal: { x, y } }: Fold): Peeled["mirror"] {
  const far = 2 * (at.x * x + at.y * y);
  return [1 - 2 * x * x, -2 * x * y, -2 * x * y, 1 - 2 * y * y, far * x, far * y];
}

export const outline = (points: Point[]): string => points.map((point) => `${point.x.toFixed(2)},${point.y.toFixed(2)}`).join(" ");
