// Addresses of the page. A route is a pattern such as /tables/:id and its component, fetched when first needed.

import type { Component } from "svelte";

export type Params = Record<string, string>;
export interface Route {
  path: string;
  /** The component takes the values of the pattern, or nothing. */
  page: () => Promise<{ default: Component<{ params: Params }> | Component<Record<string, never>> }>;
  /** The page is made anew for another session. */
  perSession?: true;
}

/** The values of a pattern's names in a path, or null where it does not fit. */
export function match(pattern: string, path: string): Params | null {
  const wanted = pattern.split("/").filter(Boolean);
  const pieces = path.split("/").filter(Boolean);
  if (wanted.length !== pieces.length) return null;
  const params: Params = {};
  for (const [i, part] of wanted.entries()) {
    const value = pieces[i]!;
    if (!part.startsWith(":")) {
      if (part !== value) return null;
      continue;
    }
    const read = decoded(value);
    if (read === null) return null;
    params[part.slice(1)] = read;
  }
  return params;
}

/** A decoded piece of an address, or null if it is malformed. */
export function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

class Place {
  path = $state(typeof location === "undefined" ? "/" : location.pathname);
  query = $state.raw(new URLSearchParams(typeof location === "undefined" ? "" : location.search));

  read(): void {
    this.path = location.pathname;
    this.query = new URLSearchParams(location.search);
  }
}

export const place = new Place();

/** Go to an address of this page without loading it anew. */
export function go(address: string, replace = false): void {
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  place.read();
  if (!replace) scrollTo(0, 0);
}

/** Plain links inside the page go through `go`. Modified clicks and other origins are left to the browser. */
export function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element | null)?.closest("a");
  if (!link || link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
  if (link.pathname.startsWith("/api/") || link.pathname.startsWith("/schema")) return;
  event.preventDefault();
  if (link.pathname === location.pathname && link.search === location.search && link.hash) {
    history.pushState(null, "", link.href);
    document.getElementById(link.hash.slice(1))?.scrollIntoView();
    return;
  }
  go(link.pathname + link.search + link.hash);
}
