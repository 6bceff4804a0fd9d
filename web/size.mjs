// The page's weight: every script, gzipped. More than the limit fails the build.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const LIMIT_BYTES = 120_000;
const folder = new URL("../src/punto/house/page/assets/", import.meta.url).pathname;

const weights = readdirSync(folder)
  .filter((name) => name.endsWith(".js"))
  .map((name) => ({ name, bytes: gzipSync(readFileSync(join(folder, name)), { level: 9 }).length }));
const total = weights.reduce((sum, one) => sum + one.bytes, 0);
console.log(`page: ${weights.length} scripts, ${(total / 1000).toFixed(1)} kB gzipped of ${LIMIT_BYTES / 1000} kB allowed`);
if (total > LIMIT_BYTES) {
  for (const one of weights.sort((a, b) => b.bytes - a.bytes)) console.error(`  ${(one.bytes / 1000).toFixed(1)} kB  ${one.name}`);
  process.exit(1);
}
