/** The settings a session may give OpenCode in `options`. */
import { z } from "zod";
import type { ConnectOptions } from "../../core/adapter.ts";
import { InterlinguaError } from "../../core/error.ts";

const optionsSchema = z.strictObject({
  /** How hard the model thinks, in the model's own words: low, high, max, … */
  variant: z.string().min(1).optional(),
});

export type OpenCodeOptions = z.infer<typeof optionsSchema>;

/** Throws `invalid_request` for what OpenCode does not take. */
export function readOptions({ adapterOptions = {} }: ConnectOptions): OpenCodeOptions {
  const read = optionsSchema.safeParse(adapterOptions);
  if (read.success) return read.data;
  const errors = read.error.issues.map(({ path, message }) => ({
    path: ["options", ...path].join("."),
    message,
  }));
  const problems = errors.map(({ path, message }) => `${path}: ${message}`).join("; ");
  throw new InterlinguaError("invalid_request", `OpenCode takes only the option variant: ${problems}.`, {
    errors,
  });
}
