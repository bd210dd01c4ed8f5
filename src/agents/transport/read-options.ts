/** Reads the `options` of a session, which only its agent understands. */
import type { z } from "zod";
import type { ConnectOptions } from "../../core/adapter.ts";
import { InterlinguaError } from "../../core/error.ts";
import { lostPrototypeKey } from "../../core/own-value.ts";

/**
 * Throws `invalid_request`, naming each option that is unknown or wrong. The schema is strict: none is ignored silently.
 *
 * @example const { effort } = readOptions("Codex", z.strictObject({ effort: z.string().optional() }), connectOptions);
 */
export function readOptions<Schema extends z.ZodType>(
  agent: string,
  schema: Schema,
  { adapterOptions = {} }: Pick<ConnectOptions, "adapterOptions">,
): z.infer<Schema> {
  const read = schema.safeParse(adapterOptions);
  const lost = lostPrototypeKey(adapterOptions, read.data);
  if (read.success && !lost) return read.data;
  const issues = lost ? [{ path: lost, message: "is no name that can be used" }] : (read.error?.issues ?? []);
  const errors = issues.map(({ path, message }) => ({ path: ["options", ...path].join("."), message }));
  const problems = errors.map(({ path, message }) => `${path}: ${message}`).join("; ");
  throw new InterlinguaError("invalid_request", `${agent} does not take these options: ${problems}.`, {
    errors,
  });
}
