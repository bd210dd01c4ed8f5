import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/browser/*.test.ts"],
    globalSetup: ["test/browser/install-agents.ts", "test/browser/unpack-browser.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Half of the time they wait: two browsers and two daemons for two cores.
    maxWorkers: 2,
  },
});
