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
  for (const paragraph of paragraphs) {
    const chapter = chapterOf(paragraph.number);
    let section = sections.at(-1);
    if (section?.number !== chapter) {
      section = { number: chapter, title: chapter === paragraph.number ? titleOf(paragraph.gist) : "", paragraphs: [] };
      sections.push(section);
    }
    if (chapter !== paragraph.number) section.paragraphs.push(paragraph);
  }
  return sections;
}

const chapterOf = (number: string) => (number.startsWith("Appendix") ? "Appendix" : number.split(".")[0]!);

/** In the data a title is written "Title: the words used." */
export function titleOf(gist: string): string {
  const plain = gist.replace(/^Title: /, "").replace(/\.$/, "");
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

export const isTitle = (paragraph: Paragraph): boolean => paragraph.kind === "notice" && paragraph.gist.startsWith("Title: ");

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
    let hung = all.get(number);
    if (!hung) all.set(number, (hung = { bets: [], insurance: [], play: false, irregular: [], layouts: [], errata: [] }));
    return hung;
  };
  for (const [bet, rule] of Object.entries(edition.bets)) {
    for (const number of new Set(rule.pays.map((row) => row.paragraph))) {
      at(number).bets.push([bet, { ...rule, pays: rule.pays.filter((row) => row.paragraph === number) }]);
    }
  }
  for (const row of edition.insurance) at(row.paragraph).insurance.push(row);
  if (edition.table_of_play) at(edition.table_of_play.banker_cite).play = true;
  const rows = edition.irregularities ?? {};
  for (const [kind, rule] of Array.isArray(rows) ? rows.map((row) => [row.id, row] as const) : Object.entries(rows)) {
    at(rule.cite ?? rule.paragraph ?? "").irregular.push([kind, rule]);
  }
  for (const [name, layout] of Object.entries(edition.layouts)) at(layout.paragraph).layouts.push(name);
  for (const erratum of edition.errata) at(erratum.cite).errata.push(erratum);
  return all;
}

/** Points as people write them: "0–4, 6" or "0, 2". */
export function spanOf(points: number[]): string {
  const runs: [number, number][] = [];
  for (const point of [...points].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && last[1] === point - 1) last[1] = point;
    else runs.push([point, point]);
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : to === from + 1 ? `${from}, ${to}` : `${from}–${to}`)).join(", ");
}
