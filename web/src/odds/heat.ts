/** The insurance heat map: an edition's offers as a grid of the Player's points by the Banker's. */

export interface Offer {
  bet: string;
  after: string;
  player_points: number;
  banker_points: number;
  odds: string;
  reached: string;
  won: string;
  returned: string;
  lost: string;
  house_edge: number;
  standard_deviation: number;
  favours_patron: boolean;
  paragraph: string;
}

export interface Heat {
  bet: string;
  after: string;
  /** `cells[player][banker]`: an offer, or null where none is made. */
  cells: (Offer | null)[][];
  /** How many offers there are. */
  count: number;
}

const POINTS = 10;

/** One map for every bet and moment that the sheet has offers for, in the sheet's order. */
export function heatMaps(offers: Offer[]): Heat[] {
  const maps = new Map<string, Heat>();
  for (const offer of offers) {
    const key = `${offer.bet} ${offer.after}`;
    let map = maps.get(key);
    if (!map) {
      const cells = Array.from({ length: POINTS }, () => Array<Offer | null>(POINTS).fill(null));
      map = { bet: offer.bet, after: offer.after, cells, count: 0 };
      maps.set(key, map);
    }
    map.cells[offer.player_points]![offer.banker_points] = offer;
    map.count += 1;
  }
  return [...maps.values()];
}

/** The least and the greatest edge of all offers: one scale for all maps, so that they can be compared. */
export function span(offers: Offer[]): [number, number] {
  const edges = offers.map((offer) => offer.house_edge);
  return edges.length === 0 ? [0, 0] : [Math.min(...edges), Math.max(...edges)];
}

/** Where an edge lies between the least and the greatest, 0 to 1. */
export function heat(edge: number, [least, most]: [number, number]): number {
  if (most <= least) return 0;
  return Math.min(1, Math.max(0, (edge - least) / (most - least)));
}

/** Cool, middle, hot: all dark enough that white figures can be read. */
const COLOURS: [number, number, number][] = [
  [11, 94, 104],
  [122, 88, 18],
  [163, 18, 43],
];

export function colour(share: number): string {
  const at = Math.min(1, Math.max(0, share)) * (COLOURS.length - 1);
  const low = Math.min(Math.floor(at), COLOURS.length - 2);
  const mixed = COLOURS[low]!.map((from, i) => Math.round(from + (COLOURS[low + 1]![i]! - from) * (at - low)));
  return `rgb(${mixed.join(" ")})`;
}

/** A fraction as a number to read. Its parts may be too large for an exact float; for reading that is good enough. */
export function asNumber(fraction: string): number {
  const [x = "0", y = "1"] = fraction.split("/");
  return Number(x) / Number(y);
}
