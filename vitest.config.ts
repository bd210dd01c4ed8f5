import { join } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "web/src/**/*.test.ts"],
    exclude: [
      // `npm run test:slow`
      "**/*.slow.test.ts",
      "test/agents/**",
      "test/browser/**",
      "test/cluster/**",
      "test/crash/**",
      "test/faults/**",
      "test/long/**",
      "test/system/**",
      "node_modules/**",
    ],
    // Most of the time tests wait for processes they started, so one worker more than there are usually cores.
    maxWorkers: 3,
    // No module has a state that tests could leave behind; loading them all anew for each file took half of the time.
    isolate: false,
    // A golden view that is missing is a failure. `npx vitest run PATH -u` writes it.
    update: "none",
    // Daemons, commands and agents are started hundreds of times; only the first has to compile.
    // Checkpoints cost each session some runs of git; tests that are about them switch them on.
    env: {
      NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules/.cache/compiled-for-tests"),
      INTERLINGUA_CHECKPOINTS: "off",
    },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
