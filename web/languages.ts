// Every text of the page is written in three languages side by side (see src/words/speak.ts). In the built page the
// scripts keep the English texts. The others go into one data file per language, fetched by its readers only.

import type { Plugin } from "vite";

const CHINESE = ["zh-Hant", "zh-Hans"] as const;
const WORDS = /^export const (\w+) = (\{[\s\S]*?^\}) as const satisfies Words;/gm;

type Pack = Record<string, Record<string, string>>;

export function languages(): Plugin {
  const packs: Record<string, Pack> = { "zh-Hant": {}, "zh-Hans": {} };
  const files: Record<string, string> = {};
  return {
    name: "punto-languages",
    apply: "build",
    enforce: "pre",
    transform(code, id) {
      if (!/\/src\/.*\.ts$/.test(id) || !code.includes("satisfies Words;")) return null;
      return code.replace(WORDS, (_, name: string, literal: string) => {
        const words = new Function(`return ${literal}`)() as Record<string, string[]>;
        CHINESE.forEach((language, i) => {
          packs[language]![name] = Object.fromEntries(Object.entries(words).map(([key, said]) => [key, said[i + 1]!]));
        });
        const english = Object.fromEntries(Object.entries(words).map(([key, said]) => [key, [said[0]]]));
        return `export const ${name} = ${JSON.stringify({ ...english, "#": [name] })} as unknown as Record<string, [string, string, string]>;`;
      });
    },
    renderStart() {
      for (const language of CHINESE) {
        // In the order of the names: the order in which modules are read differs from build to build.
        const source = JSON.stringify(Object.fromEntries(Object.entries(packs[language]!).toSorted()));
        files[language] = this.emitFile({ type: "asset", name: `${language}.json`, source });
      }
    },
    // Before a script gets its name: browsers keep a script for a year, so its name must change with the names in it.
    renderChunk(code) {
      const named = (text: string, language: string): string => text.replaceAll(`assets/${language}-HASH.json`, this.getFileName(files[language]!));
      return code.includes("-HASH.json") ? CHINESE.reduce(named, code) : null;
    },
  };
}
