/** Puts a preset where npm is to install it. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PresetFolder, PresetProgram } from "./preset-folder.ts";

/** Writes `package.json` and `package-lock.json` into an empty folder. */
export async function stagePreset(
  preset: PresetFolder,
  program: PresetProgram,
  directory: string,
): Promise<void> {
  const staged = demandProgram(preset, program);
  await writeFile(join(directory, "package.json"), JSON.stringify(staged.package));
  await writeFile(join(directory, "package-lock.json"), JSON.stringify(staged.lock));
}

/**
 * Native programs come as optional packages, and npm leaves out without a word an optional package that it cannot
 * download or whose content is not what was published. The one we need is no option, so that npm says what is wrong.
 */
function demandProgram(
  preset: PresetFolder,
  { file }: PresetProgram,
): Pick<PresetFolder, "package" | "lock"> {
  const name = packageOf(file);
  const key = `node_modules/${name}`;
  const entry = preset.lock.packages[key];
  if (!entry?.optional) return preset;
  const { optional: _, ...demanded } = entry;
  const wanted = entry.name === undefined ? entry.version! : `npm:${entry.name}@${entry.version}`;
  const dependencies = { ...preset.package.dependencies, [name]: wanted };
  const root = { ...preset.lock.packages[""], dependencies };
  return {
    package: { ...preset.package, dependencies },
    lock: { ...preset.lock, packages: { ...preset.lock.packages, "": root, [key]: demanded } },
  };
}

/** `node_modules/@scope/name/bin/program` is in `@scope/name`. */
function packageOf(file: string): string {
  const [, first = "", second = ""] = file.split("/");
  return first.startsWith("@") ? `${first}/${second}` : first;
}
