// The built page: texts of each language in a file of their own, and names that change with what they hold.

import { build, type Rolldown } from "vite";
import { expect, test } from "vitest";
import { languages } from "../languages.ts";

const words = (name: string, text: string): string =>
  `export const ${name} = {\n  hello: ["Hello", "${text}", "${text}。"],\n} as const satisfies Words;\n`;

/** The names of the files that a small page is built into. Modules are read in this order. */
async function built(modules: Record<string, string>): Promise<string[]> {
  const entry = Object.keys(modules).map((id) => `export * from "/src/${id}.ts";`);
  const result = await build({
    configFile: false,
    logLevel: "silent",
    plugins: [
      languages(),
      {
        name: "small-page",
        resolveId: (id) => id,
        load: (id) => (id === "/entry.ts" ? `${entry.join("")} export const packs = ["assets/zh-Hant-HASH.json", "assets/zh-Hans-HASH.json"];` : modules[id.slice(5, -3)]),
      },
    ],
    build: { write: false, minify: false, rolldownOptions: { input: "/entry.ts", preserveEntrySignatures: "strict" } },
  });
  const { output } = result as Rolldown.RolldownOutput;
  const script = output.find((file) => file.type === "chunk")!;
  const packs = output.map((file) => file.fileName).filter((name) => name.endsWith(".json"));
  expect(packs).toHaveLength(2);
  for (const pack of packs) expect(script.code).toContain(pack);
  return output.map((file) => file.fileName).toSorted();
}

test("a script that names other texts has another name, because browsers keep it for a year", async () => {
  const [before, after] = [await built({ a: words("a", "你好") }), await built({ a: words("a", "您好") })];
  expect(before.filter((name) => after.includes(name))).toEqual([]);
});

test("the same texts give the same files, in whatever order the modules are read", async () => {
  const [a, b] = [words("a", "你好"), words("b", "再見")];
  const packs = (names: string[]): string[] => names.filter((name) => name.endsWith(".json"));
  expect(packs(await built({ a, b }))).toEqual(packs(await built({ b, a })));
});
