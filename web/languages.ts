// Every text of the page is written in three languages side by side (see src/words/speak.ts). In the built page the
// scripts keep the English texts. The others go into one data file per language, fetched by its readers only.

import { createHash } from "node:crypto";
import type { Plugin } from "vite";

const CHINESE = ["zh-Hant", "zh-Hans"] as const;
const WORDS = /^export const (\w+) = (\{[\s\S]*?^\}) as const satisfies Words;/gm;

type Pack = Record<string, Record<string, string>>;

export function languages(): Plugin {
  const packs: Record<string, Pack> = { "zh-Hant": {}, "zh-Hans": {} };
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
    generateBundle(_, bundle) {
      const names: Record<string, string> = {};
      for (const language of CHINESE) {
        const source = JSON.stringify(packs[language]);
        const hash = createHash("sha256").update(source).digest("hex").slice(0, 8);
        names[language] = `assets/${language}-${hash}.json`;
        this.emitFile({ type: "asset", fileName: names[language]!, source });
      }
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk") continue;
        for (const language of CHINESE) chunk.code = chunk.code.replaceAll(`assets/${language}-HASH.json`, names[language]!);
      }
    },
  };
}
