import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { languages } from "./languages.ts";

// `npm run dev` works against a house that runs elsewhere: PUNTO_HOUSE names it.
const house = process.env.PUNTO_HOUSE ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [languages(), svelte()],
  build: {
    outDir: "../src/punto/house/page",
    emptyOutDir: true,
    assetsDir: "assets",
    assetsInlineLimit: 0, // the house allows no data: addresses but for pictures
    target: "es2022",
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: {
          groups: [
            // What several pages share travels with the first script, and pages that are read together lie together: fewer files, and they
            // compress better. Words of irregularities and places are read at the table, in the rules and at the consoles.
            { name: "shared", test: /node_modules|src\/(lib|words|chips|roads|routes)\/|cards\/(?!Squeeze|peel)|dealer\/(entry|named|verdict)|table\/(felt|visit)/ },
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
  // One process and one load of every module: no test leaves anything behind.
  test: { include: ["tests/**/*.test.ts", "src/**/*.test.ts"], environment: "node", pool: "threads", isolate: false },
});
