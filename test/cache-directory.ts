/** Where what the tests install is kept. It looks like a data directory in which agents are installed. */
import { resolve } from "node:path";

/** INTERLINGUA_TEST_AGENTS names one that outlives `npm ci`. */
export function cacheDirectory(): string {
  return (
    process.env.INTERLINGUA_TEST_AGENTS ??
    resolve(import.meta.dirname, "../node_modules/.cache/interlingua-agents")
  );
}
