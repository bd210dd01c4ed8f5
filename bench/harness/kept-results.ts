/** The results of each version, as they are kept in the repository. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Result, type Run, toJson } from "./results.ts";

const DIRECTORY = join(import.meta.dirname, "../results");

export function packageVersion(): string {
  return JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8")).version;
}

/** Replaces what was kept of the same benchmarks of this version. */
export function keep(run: Run, directory = DIRECTORY): void {
  const file = fileOf(run.version, directory);
  const before = readKept(run.version, directory)?.results ?? [];
  const isNew = ({ benchmark }: Result) => run.results.some((result) => result.benchmark === benchmark);
  const results = [...before.filter((result) => !isNew(result)), ...run.results];
  mkdirSync(directory, { recursive: true });
  writeFileSync(file, toJson({ ...run, results }));
}

/** Undefined when nothing was kept of this version. */
export function readKept(version: string, directory = DIRECTORY): Run | undefined {
  const file = fileOf(version, directory);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Run) : undefined;
}

function fileOf(version: string, directory: string): string {
  return join(directory, `${version}.json`);
}
