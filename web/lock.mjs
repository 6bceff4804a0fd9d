// The lock file has versions and hashes but no addresses, so every machine fetches packages from its own registry. A
// registry that has the programs of one platform only leaves the other platforms out of the lock file, and `npm ci`
// would refuse it. This script adds them by name.
import { readFileSync, writeFileSync } from "node:fs";

const SYSTEMS = { darwin: "darwin", win32: "win32", linux: "linux", freebsd: "freebsd", android: "android", openharmony: "openharmony" };
const CHIPS = { x64: "x64", arm64: "arm64", arm: "arm", ia32: "ia32", ppc64: "ppc64", s390x: "s390x", riscv64: "riscv64", wasm32: "wasm32" };
const C_LIBRARIES = { gnu: "glibc", gnueabihf: "glibc", musl: "musl" };

const file = new URL("./package-lock.json", import.meta.url);
const lock = JSON.parse(readFileSync(file, "utf8"));
for (const entry of Object.values(lock.packages)) delete entry.resolved;
for (const entry of Object.values({ ...lock.packages })) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const at = `node_modules/${name}`;
    const words = name.split(/[/-]/);
    const cpu = words.map((word) => CHIPS[word]).find(Boolean);
    if (lock.packages[at] || !cpu) continue;
    const os = words.map((word) => SYSTEMS[word]).find(Boolean);
    const libc = os === "linux" && words.map((word) => C_LIBRARIES[word]).find(Boolean);
    lock.packages[at] = { version, cpu: [cpu], dev: true, optional: true, ...(os ? { os: [os] } : {}), ...(libc ? { libc: [libc] } : {}) };
  }
}
const sorted = Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1));
writeFileSync(file, JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2) + "\n");
