import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/system/**/*.test.ts"],
    globalSetup: ["test/system/report-missing-programs.ts"],
    env: { INTERLINGUA_CHECKPOINTS: "off" },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Each file starts three nodes and a PostgreSQL.
    maxWorkers: 1,
  },
});
