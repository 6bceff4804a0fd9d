// Texts of the page in three languages. Each folder has its own `words.ts`: a key and the same sentence three times, in
// the order of LANGUAGES. `{name}` stands for a value.

import { LANGUAGES, room, type Language } from "./room.svelte";

export type Words = Record<string, readonly [en: string, hant: string, hans: string]>;
export type Values = Record<string, string | number>;

export function say(words: Words, language: Language, key: string, values: Values = {}): string {
  const said = words[key];
  const sentence = said?.[LANGUAGES.indexOf(language)] ?? room.pack[words["#"]?.[0] ?? ""]?.[key] ?? said?.[0] ?? key;
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** `t("key", { value })` in the page's language. A component that uses it follows a change of language. */
export function speak<W extends Words>(words: W): (key: keyof W & string, values?: Values) => string {
  return (key, values) => say(words, room.language, key, values);
}

/** The same for a key that comes from the house; `otherwise` if the page has no text for it. */
export function sayKnown(words: Words, key: string, otherwise: string): string {
  return key in words ? say(words, room.language, key) : otherwise;
}
