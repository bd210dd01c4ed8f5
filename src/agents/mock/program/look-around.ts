/** Finds something worth reading in a directory. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readText } from "./read-text.ts";

const CANDIDATES = ["README.md", "readme.md", "package.json", "pyproject.toml", "Cargo.toml", "go.mod"];
const MAX_CHARACTERS = 2000;
const MAX_NAMES = 50;

/** The beginning of a file that explains the project, or the names in the directory. */
export function lookAround(directory: string): { path: string; content: string } {
  const entries = readdirSync(directory, { withFileTypes: true });
  const path = CANDIDATES.find((name) => entries.some((entry) => entry.name === name && entry.isFile()));
  if (path === undefined) {
    const names = entries.map(({ name }) => name).sort();
    return { path: ".", content: names.slice(0, MAX_NAMES).join("\n") };
  }
  const content = readText(join(directory, path));
  return { path, content: content.slice(0, MAX_CHARACTERS) };
}
