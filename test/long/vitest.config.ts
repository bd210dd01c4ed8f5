import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/long/*.test.ts", "test/hostile/*.test.ts"],
    env: { HOSTILE_RUNS: "2000" },
    testTimeout: 3_600_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});
