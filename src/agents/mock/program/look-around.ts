/** Finds something worth reading in a directory. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const CANDIDATES = ["README.md", "readme.md", "package.json", "pyproject.toml", "Cargo.toml", "go.mod"];
const MAX_CHARACTERS = 2000;

/** The beginning of a file that explains the project, or the names in the directory. */
export function lookAround(directory: string): { path: string; content: string } {
  const names = readdirSync(directory).sort();
  const path = CANDIDATES.find((candidate) => names.includes(candidate));
  if (path === undefined) return { path: ".", content: names.slice(0, 50).join("\n") };
  return { path, content: readFileSync(join(directory, path), "utf8").slice(0, MAX_CHARACTERS) };
}
