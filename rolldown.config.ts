/** How dist/ is built: the command line, the library, and every program that runs as a process of its own. */
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Plugin } from "rolldown";
import { bundledLicences } from "./scripts/bundled-licences.ts";

/** Paths in src/, which are kept in dist/. What they share lies beside them, right in dist/. */
const ENTRIES = [
  "cli/main",
  "agents/mock/program/main",
  "agents/model/program/main",
  "agents/model/program/tools/search/search-worker",
  "agents/opencode/event-reader/main",
  // What `exports` of package.json names, and the programs of the test kit.
  "daemon",
  "adapter/index",
  "dialect/index",
  "core/index",
  "protocol/index",
  "dialects/ai-sdk/library",
  "native/index",
  "unified/index",
  "sdk/index",
  "sdk/browser",
  "testkit/index",
  "testkit/hostile-agent/main",
  "testkit/misbehaving-acp-agent/main",
  "testkit/recorder/main",
  "testkit/recording-player/main",
];

/** zod brings its messages in fifty languages. English is built in. */
const englishOnly: Plugin = {
  name: "english-only",
  load: {
    filter: { id: /\/zod\/v4\/locales\/index\.js$/ },
    handler: () => 'export { default as en } from "./en.js";',
  },
};

/** What is edited during the build counts as edited after it: bin/interlingua.js compares the times. */
const startedAt = new Date();
const datedByItsStart: Plugin = {
  name: "dated-by-its-start",
  writeBundle: () => utimesSync(join(import.meta.dirname, "dist/cli/main.js"), startedAt, startedAt),
};

export default defineConfig({
  cwd: import.meta.dirname,
  input: Object.fromEntries(ENTRIES.map((path) => [path, `src/${path}.ts`])),
  platform: "node",
  // The test kit is used inside of them.
  external: ["vitest", "fast-check"],
  plugins: [englishOnly, bundledLicences("LICENCES.md"), datedByItsStart],
  output: {
    dir: "dist",
    cleanDir: true,
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    // It says where it lies, so it must not become part of a file that lies elsewhere.
    codeSplitting: { groups: [{ name: "package-root", test: /\/src\/package-root\.ts$/ }] },
    comments: false,
  },
});
