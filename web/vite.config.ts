import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { languages } from "./languages.ts";

// `npm run dev` uses a house that runs elsewhere: PUNTO_HOUSE is its address.
const house = process.env.PUNTO_HOUSE ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [languages(), svelte()],
  build: {
    outDir: "../src/punto/house/page",
    emptyOutDir: true,
    assetsDir: "assets",
    assetsInlineLimit: 0, // the house allows data: addresses for pictures only
    target: "es2022",
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: {
          groups: [
            // What several pages share is in the first script, and pages that are used together share a file: fewer
            // files, and they compress better. Texts of irregularities and places are used at the table, in the rules
            // and at the consoles.
            { name: "shared", test: /node_modules|src\/(lib|words|chips|roads|routes)\/|cards\/(?!Squeeze|peel)|dealer\/(entry|named)|table\/(felt|visit)/ },
            { name: "kinds", test: /pit\/kinds/ },
            { name: "lobby", test: /src\/(lobby|shoes|board)\/|table\/(History|sentence)/ },
            { name: "desk", test: /src\/dealer\// },
            { name: "read", test: /src\/(odds|rules)\// },
          ],
        },
      },
    },
  },
  server: { proxy: { "/api": { target: house, ws: true } } },
  // One process loads every module once. That is safe, because no test leaves anything behind.
  test: { include: ["tests/**/*.test.ts", "src/**/*.test.ts"], environment: "node", pool: "threads", isolate: false, testTimeout: 1_200_000 },
});
