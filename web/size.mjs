// The gzipped size of the page's scripts: those that a patron's table loads, and all of them together. The build fails
// if either is over its limit.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const TABLE_BYTES = 82_000;
const ALL_BYTES = 184_000;
const folder = new URL("../src/punto/house/page/assets/", import.meta.url).pathname;
const scripts = readdirSync(folder).filter((name) => name.endsWith(".js"));
const text = (name) => readFileSync(join(folder, name), "utf8");
const bytes = (name) => gzipSync(text(name), { level: 9 }).length;

/** A script and everything that it imports at its start. Scripts that are loaded later are not included. */
function loaded(name, names = new Set()) {
  if (names.has(name)) return names;
  names.add(name);
  for (const [, other] of text(name).matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) loaded(other, names);
  return names;
}

const table = new Set(scripts.filter((name) => /^(index|lobby|TablePage)-/.test(name)).flatMap((name) => [...loaded(name)]));
let heavy = false;
for (const [what, names, limit] of [["a player's table", [...table], TABLE_BYTES], ["all pages", scripts, ALL_BYTES]]) {
  const total = names.reduce((sum, name) => sum + bytes(name), 0);
  console.log(`page: ${what}: ${names.length} scripts, ${(total / 1000).toFixed(1)} kB gzipped of ${limit / 1000} kB allowed`);
  heavy ||= total > limit;
}
if (heavy) {
  for (const name of scripts) console.error(`  ${(bytes(name) / 1000).toFixed(1)} kB  ${name}`);
  process.exit(1);
}
