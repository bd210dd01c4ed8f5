import { defineConfig } from "vitest/config";
import quick from "./vitest.config.ts";

/** Tests that start programs dozens of times, by the end of their names. */
export default defineConfig({
  test: { ...quick.test, include: ["{src,test}/**/*.slow.test.ts"], exclude: ["node_modules/**"] },
});
