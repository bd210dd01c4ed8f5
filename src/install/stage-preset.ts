/** Puts a preset where npm is to install it. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PresetPackages, PresetProgram } from "./preset-folder.ts";

/** Writes `package.json` and `package-lock.json` into an empty folder. */
export async function stagePreset(
  packages: PresetPackages,
  program: PresetProgram,
  directory: string,
): Promise<void> {
  const staged = demandProgram(packages, program);
  await writeFile(join(directory, "package.json"), JSON.stringify(staged.package));
  await writeFile(join(directory, "package-lock.json"), JSON.stringify(staged.lock));
}

/**
 * Native programs come as optional packages, and npm leaves out without a word an optional package that it cannot
 * download or whose content is not what was published. The one we need is no option, so that npm says what is wrong.
 */
function demandProgram(packages: PresetPackages, { file }: PresetProgram): PresetPackages {
  const name = packageOf(file);
  const key = `node_modules/${name}`;
  const { package: manifest, lock } = packages;
  const entry = lock.packages[key];
  if (!entry?.optional) return packages;
  const { optional: _, ...demanded } = entry;
  const wanted = entry.name === undefined ? entry.version! : `npm:${entry.name}@${entry.version}`;
  const dependencies = { ...manifest.dependencies, [name]: wanted };
  const root = { ...lock.packages[""], dependencies };
  return {
    package: { ...manifest, dependencies },
    lock: { ...lock, packages: { ...lock.packages, "": root, [key]: demanded } },
  };
}

/** `node_modules/@scope/name/bin/program` is in `@scope/name`. */
function packageOf(file: string): string {
  const [, first = "", second = ""] = file.split("/");
  return first.startsWith("@") ? `${first}/${second}` : first;
}
