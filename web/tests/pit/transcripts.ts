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

const lines = (text: string) => text.split("\n").filter((line) => line.trim() && !line.startsWith("#"));

export const transcripts: Transcript[] = Object.entries(scripts).map(([path, script]) => {
  const commands = lines(script).map(read);
  const out = lines(answers[path.replace(/\.jsonl$/, ".out")]!).map((line) => JSON.parse(line));
  const answered = out
    .filter((answer) => "command" in answer && commands[answer.command - 1])
    .map((answer) => ({ command: commands[answer.command - 1] as Command, events: answer.events ?? null }));
  return { name: path.replace(/^.*transcripts\//, ""), answered, view: out.find((answer) => "table" in answer).table };
});

/** A transcript may hold lines that are no JSON: they show how such a line is refused. */
function read(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

export function eventsOf(transcript: Transcript): Stored[] {
  return transcript.answered
    .flatMap((answer) => answer.events ?? [])
    .map((event, at) => ({ version: at + 1, at: "2026-01-01T00:00:00Z", event }));
}
