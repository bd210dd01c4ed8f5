import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/faults/*.test.ts"],
    testTimeout: 1_200_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
