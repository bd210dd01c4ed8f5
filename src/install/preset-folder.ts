/**
 * A preset as it is committed: a folder with what npm installs (`package.json`, `package-lock.json`) and
 * `preset.json`, which says where the program is then.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { PACKAGE_ROOT } from "../package-root.ts";

const dependencies = z.record(z.string(), z.string());

const packageSchema = z.looseObject({ dependencies });

const lockSchema = z.looseObject({
  packages: z.record(
    z.string(),
    z.looseObject({
      version: z.string().optional(),
      integrity: z.string().optional(),
      /** The real name, if the package is installed under an alias. */
      name: z.string().optional(),
      optional: z.boolean().optional(),
      /** The platforms it is for. */
      os: z.array(z.string()).optional(),
      cpu: z.array(z.string()).optional(),
      libc: z.array(z.string()).optional(),
      dependencies: dependencies.optional(),
      optionalDependencies: dependencies.optional(),
    }),
  ),
});

const presetSchema = z.strictObject({
  /** By platform, or only `any` where the packages are the same on all. A script is run by our own Node. */
  programs: z.record(
    z.string(),
    z.strictObject({
      /** From the folder that npm installs into. */
      file: z.string().startsWith("node_modules/"),
      /** The size of all packages when they are complete. */
      bytes: z.int().nonnegative(),
    }),
  ),
});

export type PresetProgram = z.infer<typeof presetSchema>["programs"][string];

/** By platform. */
export type PresetPrograms = Readonly<Record<string, PresetProgram>>;

/** What npm installs. */
export interface PresetPackages {
  readonly package: z.infer<typeof packageSchema>;
  readonly lock: z.infer<typeof lockSchema>;
}

/** The folder of presets that comes with this package. */
export const PRESETS_DIRECTORY = join(PACKAGE_ROOT, "src/install/presets");

export async function readPresetPackages(folder: string): Promise<PresetPackages> {
  return {
    package: packageSchema.parse(await readJson(join(folder, "package.json"))),
    lock: lockSchema.parse(await readJson(join(folder, "package-lock.json"))),
  };
}

export async function readPresetPrograms(folder: string): Promise<PresetPrograms> {
  return presetSchema.parse(await readJson(join(folder, "preset.json"))).programs;
}

/** Whether what is installed differs from platform to platform. */
export function isForPlatforms({ packages }: PresetPackages["lock"]): boolean {
  return Object.values(packages).some(({ os, cpu, libc }) => os ?? cpu ?? libc);
}

/** The program for a platform; undefined when the publisher has none for it. */
export async function readProgramFor(folder: string, platform: string): Promise<PresetProgram | undefined> {
  const programs = await readPresetPrograms(folder);
  return programs[platform] ?? programs.any;
}

async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(file, "utf8"));
}
