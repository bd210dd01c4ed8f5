import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/cluster/**/*.test.ts"],
    env: { INTERLINGUA_CHECKPOINTS: "off" },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Most of the time they wait for leases and processes.
    maxWorkers: 2,
  },
});
