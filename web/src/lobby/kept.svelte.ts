// Tables that this browser remembers: favourites, and those that are to be played side by side.

import { keep, stored } from "../words/room.svelte";

export const MOST_SIDE_BY_SIDE = 4;

class Remembered {
  ids = $state.raw<readonly string[]>([]);

  constructor(
    private readonly key: string,
    private readonly most: number,
  ) {
    this.ids = this.read();
    // Another tab of this browser has changed it.
    globalThis.addEventListener?.("storage", ({ key }) => key === this.key && (this.ids = this.read()));
  }

  has(id: string): boolean {
    return this.ids.includes(id);
  }

  get full(): boolean {
    return this.ids.length >= this.most;
  }

  /** Adds a table or takes it out. Nothing is added to a full list. */
  turn(id: string): void {
    if (this.has(id)) this.set(this.ids.filter((other) => other !== id));
    else if (!this.full) this.set([...this.ids, id]);
  }

  set(ids: readonly string[]): void {
    this.ids = [...new Set(ids)].slice(0, this.most);
    keep(this.key, JSON.stringify(this.ids));
  }

  private read(): readonly string[] {
    try {
      const kept: unknown = JSON.parse(stored(this.key) ?? "[]");
      return Array.isArray(kept) ? kept.filter((id): id is string => typeof id === "string").slice(0, this.most) : [];
    } catch {
      return [];
    }
  }
}

export const favourites = new Remembered("punto.favourites", 500);
export const several = new Remembered("punto.several", MOST_SIDE_BY_SIDE);
