/** Prepares a folder for npm to install a preset. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { libcOf } from "./platform.ts";
import type { PresetPackages, PresetProgram } from "./preset-folder.ts";

const MODULES = "node_modules/";

type Entry = PresetPackages["lock"]["packages"][string];

export interface StagedPreset {
  readonly packages: PresetPackages;
  readonly program: PresetProgram;
  /** What this machine is called in the names of native packages. */
  readonly platform: string;
}

/** Writes `package.json` and `package-lock.json` into an empty folder. */
export async function stagePreset(
  { packages, program, platform }: StagedPreset,
  directory: string,
): Promise<void> {
  const staged = leaveOutForeign(makeRequired(packages, program), platform);
  await writeFile(join(directory, "package.json"), JSON.stringify(staged.package));
  await writeFile(join(directory, "package-lock.json"), JSON.stringify(staged.lock));
}

/**
 * Native programs come as optional packages, and npm silently skips an optional package that it cannot download or
 * whose checksum is wrong. The one we need is made mandatory, so that npm reports what is wrong.
 */
function makeRequired(packages: PresetPackages, { file }: PresetProgram): PresetPackages {
  const name = packageOf(file);
  const key = `node_modules/${name}`;
  const { package: manifest, lock } = packages;
  const entry = lock.packages[key];
  if (!entry?.optional) return packages;
  const { optional: _, ...required } = entry;
  const wanted = entry.name === undefined ? entry.version! : `npm:${entry.name}@${entry.version}`;
  const dependencies = { ...manifest.dependencies, [name]: wanted };
  const root = { ...lock.packages[""], dependencies };
  return {
    package: { ...manifest, dependencies },
    lock: { ...lock, packages: { ...lock.packages, "": root, [key]: required } },
  };
}

/** Older versions of npm do not know C libraries and would install the programs for all of them. */
function leaveOutForeign({ package: manifest, lock }: PresetPackages, platform: string): PresetPackages {
  const isForeign = ({ optional, libc }: Entry) => optional && libc && !libc.includes(libcOf(platform));
  const entries = Object.entries(lock.packages);
  const foreign = new Set(entries.filter(([, entry]) => isForeign(entry)).map(([key]) => lastPackageOf(key)));
  const packages = entries
    .filter(([, entry]) => !isForeign(entry))
    .map(([key, entry]) => [key, withoutOptional(entry, foreign)]);
  return { package: manifest, lock: { ...lock, packages: Object.fromEntries(packages) } };
}

/** npm refuses a lock that names a package it does not have. */
function withoutOptional(entry: Entry, left: ReadonlySet<string>): Entry {
  if (!entry.optionalDependencies) return entry;
  const kept = Object.entries(entry.optionalDependencies).filter(([name]) => !left.has(name));
  return { ...entry, optionalDependencies: Object.fromEntries(kept) };
}

/** `node_modules/@scope/name/bin/program` is in `@scope/name`. */
function packageOf(file: string): string {
  const [, first = "", second = ""] = file.split("/");
  return first.startsWith("@") ? `${first}/${second}` : first;
}

/** `node_modules/outer/node_modules/@scope/name` is where `@scope/name` is. */
function lastPackageOf(key: string): string {
  return key.slice(key.lastIndexOf(MODULES) + MODULES.length);
}
