/**
 * A preset as it is committed: a folder with what npm installs (`package.json`, `package-lock.json`) and
 * `preset.json`, which says where the program is then.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const dependencies = z.record(z.string(), z.string());

const packageSchema = z.looseObject({ dependencies });

const lockSchema = z.looseObject({
  packages: z.record(
    z.string(),
    z.looseObject({
      version: z.string().optional(),
      integrity: z.string().optional(),
      /** The real name, where the package is installed under another one. */
      name: z.string().optional(),
      optional: z.boolean().optional(),
      dependencies: dependencies.optional(),
    }),
  ),
});

const presetSchema = z.strictObject({
  /** By platform; `any` for a script, which our own Node runs. */
  programs: z.record(
    z.string(),
    z.strictObject({
      /** From the folder that npm installs into. */
      file: z.string().startsWith("node_modules/"),
      /** The size of the whole folder when it is complete. */
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
export const PRESETS_DIRECTORY = join(import.meta.dirname, "presets");

export async function readPresetPackages(folder: string): Promise<PresetPackages> {
  return {
    package: packageSchema.parse(await readJson(join(folder, "package.json"))),
    lock: lockSchema.parse(await readJson(join(folder, "package-lock.json"))),
  };
}

export async function readPresetPrograms(folder: string): Promise<PresetPrograms> {
  return presetSchema.parse(await readJson(join(folder, "preset.json"))).programs;
}

/** The program for a platform; undefined when the publisher has none for it. */
export async function readProgramFor(folder: string, platform: string): Promise<PresetProgram | undefined> {
  const programs = await readPresetPrograms(folder);
  return programs[platform] ?? programs.any;
}

async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(file, "utf8"));
}
