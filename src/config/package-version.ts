/** Our own version, from the package we are in: two folders up from src/config as well as from dist/config. */
import { readFileSync } from "node:fs";

export function packageVersion(): string {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
