import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/browser/*.test.ts"],
    globalSetup: ["test/browser/install-agents.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A browser and a daemon are enough for two cores.
    fileParallelism: false,
  },
});
