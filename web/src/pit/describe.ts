/** An event in one line: what it is about, in the order in which people would say it. */

import type { TableEvent } from "../lib/shapes";

const FIRST = ["patron", "name", "rank", "box", "bet", "stake", "place", "card", "round", "hand", "shoe", "cards", "odds", "after", "option", "kind", "ruling", "winner", "says", "reason", "note"];
const LEFT_OUT = new Set(["event", "paragraph", "by", "settings", "lines", "entries", "irregularity", "wager", "order", "salt", "commitment"]);

export function described(event: TableEvent): string {
  const parts: string[] = [];
  const fields = Object.entries(event).filter(([name, value]) => !LEFT_OUT.has(name) && value !== null && value !== "" && value !== false);
  fields.sort(([a], [b]) => rank(a) - rank(b));
  for (const [name, value] of fields) {
    if (value === true) parts.push(name);
    else if (FIRST.includes(name) && typeof value === "string") parts.push(value);
    else parts.push(`${name} ${plain(value)}`);
  }
  const report = event.irregularity as { kind?: string } | undefined;
  if (report?.kind) parts.unshift(report.kind);
  const lines = event.lines as unknown[] | undefined;
  if (lines?.length) parts.push(`${lines.length} lines`);
  if (typeof event.by === "string") parts.push(`(${event.by})`);
  return parts.join(" · ");
}

function rank(name: string): number {
  const at = FIRST.indexOf(name);
  return at < 0 ? FIRST.length : at;
}

function plain(value: unknown): string {
  if (Array.isArray(value)) return value.map(plain).join(" ") || "–";
  if (value && typeof value === "object") {
    const one = value as Record<string, unknown>;
    if ("place" in one) return `${String(one.place)}=${String(one.face ?? "?")}`;
    if ("face" in one) return String(one.face ?? "?");
    return Object.entries(one)
      .map(([name, each]) => `${name} ${plain(each)}`)
      .join(", ");
  }
  return String(value);
}

/** Whether an event has a text in it: name, card, paragraph or anything else that is written in it. */
export function mentions(event: TableEvent, text: string): boolean {
  return JSON.stringify(event).toLowerCase().includes(text.trim().toLowerCase());
}

/** A nested record as flat lines, without what says nothing: `command.reason` → "the camera shows a six". */
export function leaves(what: Record<string, unknown>, above = ""): [name: string, value: string][] {
  return Object.entries(what).flatMap(([name, value]): [string, string][] => {
    const path = above ? `${above}.${name}` : name;
    if (value === null || value === "" || value === false || value === 0) return [];
    if (Array.isArray(value)) return value.length > 0 ? [[path, value.map(plain).join(" ")]] : [];
    if (typeof value === "object") return leaves(value as Record<string, unknown>, path);
    return [[path, String(value)]];
  });
}
