/** Whether a checkout runs from its bundle. `bin/interlingua.js` takes the sources where one of them is newer. */
import { globSync, statSync } from "node:fs";
import { join } from "node:path";

export function isBuilt(checkout: string): boolean {
  const builtAt = statSync(join(checkout, "dist/cli/main.js"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = globSync("src/**", { cwd: checkout, exclude: ["**/*.test.ts"] });
  return sources.every((path) => statSync(join(checkout, path)).mtimeMs < builtAt);
}
