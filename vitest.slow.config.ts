import { defineConfig } from "vitest/config";
import quick from "./vitest.config.ts";

/** Tests that start programs dozens of times, by the end of their names. */
export default defineConfig({
  test: {
    ...quick.test,
    include: ["{src,test}/**/*.slow.test.ts"],
    exclude: ["node_modules/**"],
    // A test of these takes 30 seconds on a machine that has other work.
    testTimeout: 300_000,
  },
});
