/** Our own version, from the package we are in. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PACKAGE_ROOT } from "../package-root.ts";

export function packageVersion(): string {
  const manifest = readFileSync(join(PACKAGE_ROOT, "package.json"), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
