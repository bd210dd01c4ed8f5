/** What the config file says about dialects from outside. Checked by itself, before anything of them is run. */
import { isAbsolute } from "node:path";
import { z } from "zod";
import { ConfigError } from "./config-error.ts";

const word = z.string().min(1, "must not be empty");

/** A path alone is short for an object with it as `module`. */
export const dialectConfigSchema = z.preprocess(
  (value) => (typeof value === "string" ? { module: value } : value),
  z.strictObject({
    /** The file whose default export is the dialect. It runs inside the daemon. */
    module: word,
    /** For the function that makes the dialect. */
    options: z.record(z.string(), z.unknown()).optional(),
  }),
);

export type DialectConfig = z.infer<typeof dialectConfigSchema>;

/** Throws a ConfigError that names the setting. */
export function checkDialectConfig(dialects: Readonly<Record<string, DialectConfig>>): void {
  for (const [name, { module }] of Object.entries(dialects)) {
    if (!/^[a-z][a-z0-9-]{0,63}$/.test(name))
      throw new ConfigError(
        `dialects.${name}: use up to 64 lower case letters, digits and hyphens, and begin with a letter.`,
      );
    if (!isAbsolute(module))
      throw new ConfigError(
        `dialects.${name}.module: ${module} is no absolute path. Outside a config file give one.`,
      );
  }
}
