/** The repository's own transcripts: commands, and what each led to. */

import type { Command, Stored, TableEvent, View } from "../../src/lib/shapes";

const scripts = import.meta.glob<string>("../../../tests/transcripts/**/*.jsonl", { query: "?raw", import: "default", eager: true });
const answers = import.meta.glob<string>("../../../tests/transcripts/**/*.out", { query: "?raw", import: "default", eager: true });

export interface Answered {
  command: Command;
  events: TableEvent[] | null;
}

export interface Transcript {
  name: string;
  answered: Answered[];
  /** The public view at the end. */
  view: View;
}

const lines = (text: string) => text.split("\n").filter((one) => one.trim() && !one.startsWith("#"));

export const transcripts: Transcript[] = Object.entries(scripts).map(([path, script]) => {
  const commands = lines(script).map(read);
  const out = lines(answers[path.replace(/\.jsonl$/, ".out")]!).map((one) => JSON.parse(one));
  const answered = out
    .filter((one) => "command" in one && commands[one.command - 1])
    .map((one) => ({ command: commands[one.command - 1] as Command, events: one.events ?? null }));
  return { name: path.replace(/^.*transcripts\//, ""), answered, view: out.find((one) => "table" in one).table };
});

/** A transcript may hold lines that are no JSON: they show how such a line is refused. */
function read(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

export function eventsOf(one: Transcript): Stored[] {
  return one.answered
    .flatMap((answer) => answer.events ?? [])
    .map((event, at) => ({ version: at + 1, at: "2026-01-01T00:00:00Z", event }));
}
