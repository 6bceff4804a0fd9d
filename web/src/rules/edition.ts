/** An edition divided into sections for reading, with the data that cites each paragraph. */

import type { BetRule, Edition, InsuranceRow, IrregularityRule, Paragraph } from "../lib/reference.svelte";

export interface Section {
  number: string;
  title: string;
  paragraphs: Paragraph[];
}

/** Paragraphs under the chapter that their number begins with; appendices are one chapter. */
export function sectionsOf(paragraphs: Paragraph[]): Section[] {
  const sections: Section[] = [];
  for (const one of paragraphs) {
    const chapter = chapterOf(one.number);
    let section = sections.at(-1);
    if (section?.number !== chapter) {
      section = { number: chapter, title: chapter === one.number ? titleOf(one.gist) : "", paragraphs: [] };
      sections.push(section);
    }
    if (chapter !== one.number) section.paragraphs.push(one);
  }
  return sections;
}

const chapterOf = (number: string) => (number.startsWith("Appendix") ? "Appendix" : number.split(".")[0]!);

/** In the data a title is written "Title: the words used." */
export function titleOf(gist: string): string {
  const plain = gist.replace(/^Title: /, "").replace(/\.$/, "");
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

export const isTitle = (one: Paragraph): boolean => one.kind === "notice" && one.gist.startsWith("Title: ");

/** How deep a paragraph lies below its chapter. */
export const depthOf = (number: string): number => (number.startsWith("Appendix") ? 1 : number.split(".").length - 1);

/** An id for an anchor; a number may hold a space. */
export const anchorOf = (number: string): string => `p-${number.replaceAll(" ", "-")}`;

export interface Hung {
  bets: [string, BetRule][];
  insurance: InsuranceRow[];
  play: boolean;
  irregular: [string, IrregularityRule][];
  layouts: string[];
  errata: Edition["errata"];
}

/** The parts of the edition's data that cite each paragraph. */
export function hungOn(edition: Edition): Map<string, Hung> {
  const all = new Map<string, Hung>();
  const at = (number: string): Hung => {
    let one = all.get(number);
    if (!one) all.set(number, (one = { bets: [], insurance: [], play: false, irregular: [], layouts: [], errata: [] }));
    return one;
  };
  for (const [bet, rule] of Object.entries(edition.bets)) {
    for (const number of new Set(rule.pays.map((row) => row.paragraph))) {
      at(number).bets.push([bet, { ...rule, pays: rule.pays.filter((row) => row.paragraph === number) }]);
    }
  }
  for (const row of edition.insurance) at(row.paragraph).insurance.push(row);
  if (edition.table_of_play) at(edition.table_of_play.banker_cite).play = true;
  const rows = edition.irregularities ?? {};
  for (const [kind, rule] of Array.isArray(rows) ? rows.map((one) => [one.id, one] as const) : Object.entries(rows)) {
    at(rule.cite ?? rule.paragraph ?? "").irregular.push([kind, rule]);
  }
  for (const [name, layout] of Object.entries(edition.layouts)) at(layout.paragraph).layouts.push(name);
  for (const one of edition.errata) at(one.cite).errata.push(one);
  return all;
}

/** Points as people write them: "0–4, 6" or "0, 2". */
export function spanOf(points: number[]): string {
  const runs: [number, number][] = [];
  for (const one of [...points].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && last[1] === one - 1) last[1] = one;
    else runs.push([one, one]);
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : to === from + 1 ? `${from}, ${to}` : `${from}–${to}`)).join(", ");
}
