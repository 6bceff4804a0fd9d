// Frames that hold only what changed: see docs/house.md. The result is the view that the house would have sent whole.

import type { Box, Clock, View } from "./shapes";

/** A merge patch (RFC 7396) of the boxes that it names. */
export interface BoxChange {
  box: number[];
  [field: string]: unknown;
}

export interface Changes {
  view?: View;
  changed?: Partial<View>;
  gone?: string[];
  boxes?: BoxChange[];
  mine?: Partial<View> | null;
  clock?: Clock | null;
}

/** What everybody sees, and what only this person may see. */
export interface Parts {
  everybody: View;
  mine: Partial<View>;
}

/** Both parts after a frame; null until a whole view has arrived. */
export function renewed(before: Parts | null, frame: Changes): Parts | null {
  const everybody = frame.view ?? (before && changed(before.everybody, frame));
  return everybody && { everybody, mine: frame.mine === undefined ? (before?.mine ?? {}) : (frame.mine ?? {}) };
}

function changed(view: View, frame: Changes): View {
  if (!frame.changed && !frame.gone && !frame.boxes) return view;
  const next = { ...view, ...frame.changed } as View & Record<string, unknown>;
  for (const name of frame.gone ?? []) delete next[name];
  next.boxes = view.boxes.map((box) => (frame.boxes ?? []).reduce((now, { box: numbers, ...patch }) => (numbers.includes(box.box) ? merged(now, patch) : now), box));
  return next;
}

function merged<T extends object>(before: T, patch: Record<string, unknown>): T {
  const next = { ...before } as Record<string, unknown>;
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete next[name];
    else next[name] = typeof value === "object" ? merged((next[name] ?? {}) as Box, value as Record<string, unknown>) : value;
  }
  return next as T;
}
