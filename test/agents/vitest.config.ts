import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/agents/*.test.ts"],
    globalSetup: ["test/agents/install-agents.ts"],
    // On a busy machine an agent may take many seconds to start.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Half of the time they wait for each other: one more than there are usually cores.
    maxWorkers: 3,
  },
});
