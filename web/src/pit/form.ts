/** Forms of the pit, made from the rows that the house publishes: the fields of each kind of report, and the possible
 * rulings. Nothing here names a kind or a field; their texts are in `words.ts`. */

import type { Field, Kind } from "../lib/reference.svelte";
import type { Possible } from "../lib/shapes";
import { sayKnown, type Words } from "../words/speak";
import { kindWords } from "./kinds/words";
import { pitWords } from "./words";

/** What a form holds, by field: undefined if nothing was entered, null if what was typed can't be read. */
export type Values = Record<string, unknown>;

/** What there is to choose from, besides a field's own choices. */
export interface Offers {
  cards: Record<string, string | null>;
  /** Each insurance in words, by its id. */
  insurance: Record<string, string>;
  choices: Record<string, string[]>;
}

/** One way to rule: all rulings with the same `says`. The house determines which of them is meant. */
export interface Choice {
  way: string;
  label: string;
  says: Record<string, boolean | string>;
  unsaid: boolean;
  fields: Field[];
}

const all: Words = { ...kindWords, ...pitWords };
export const word = (key: string, otherwise: string): string => sayKnown(all, key, otherwise);
export const fieldWord = (name: string, kind = ""): string => word(`fact.${kind}.${name}`, word(`fact.${name}`, name));

/** The ways to rule, in the order of the rows; only those that the house allows, if it says which. The first row, that
 * the report was mistaken, comes last in a form. */
export function choicesOf(kind: Kind, heard?: Possible["choices"]): Choice[] {
  const marks = new Set(kind.rulings.flatMap((ruling) => Object.keys(ruling.says)));
  const said = kind.rulings.filter((ruling) => !ruling.fields.some((field) => marks.has(field.name)));
  const ways = [...new Set(said.map((ruling) => JSON.stringify(ruling.says)))];
  const choices = ways.map((way): Choice => {
    const rulings = said.filter((ruling) => JSON.stringify(ruling.says) === way);
    const { says, unsaid } = rulings[0]!;
    const spoken = Object.entries(says).map(([name, value]) => word(`${name}.${value}`, `${name} ${value}`));
    const remedies = rulings.map((ruling) => word(`ruled.${ruling.remedy}`, word(`remedy.${ruling.remedy}`, ruling.remedy)));
    const fields = rulings.flatMap((ruling) => ruling.fields).filter((field, at, every) => every.findIndex((other) => other.name === field.name) === at);
    const needed = (name: string) => rulings.every((ruling) => ruling.fields.some((field) => field.name === name && field.needed));
    return { way, label: (spoken.length > 0 ? spoken : remedies).join(" / "), says, unsaid, fields: fields.map((field) => ({ ...field, needed: needed(field.name) })) };
  });
  return [...choices.slice(1), ...choices.slice(0, 1)].filter((choice) => !heard || Object.entries(choice.says).every(([name, value]) => heard[name]?.includes(value)));
}

/** The values of these fields, and nothing that was typed into others. */
export function entered(fields: Field[], values: Values): Values {
  return Object.fromEntries(fields.map((field) => [field.name, values[field.name]]).filter(([, value]) => value !== undefined));
}

/** Whether something typed can't be read. It must not be dropped silently. */
export const unread = (fields: Field[], values: Values): boolean => fields.some((field) => values[field.name] === null);

/** The first required field that is empty. */
export const missing = (fields: Field[], values: Values): Field | undefined => fields.find((field) => field.needed && values[field.name] === undefined);
