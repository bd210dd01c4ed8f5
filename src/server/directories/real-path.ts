/** Paths that clients name. */
import { realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";
import { InterlinguaError } from "../../core/error.ts";
import { HungError } from "../../files/read-gate.ts";
import { lookAt } from "../../files/regular-file.ts";
import { invalidField } from "../../protocol/refusals.ts";

export function assertAbsolute(path: string, field: string): void {
  if (isAbsolute(path) && !path.includes("\0")) return;
  throw invalidField(field, "must be an absolute path", `${field} must be an absolute path.`);
}

/**
 * Resolves as much of an absolute path as exists, so as not to reveal what exists outside the roots. Rejects with
 * `not_a_directory` for a file system that does not answer.
 */
export async function realPath(path: string): Promise<string> {
  try {
    return await lookAt(path, () => realpath(path));
  } catch (error) {
    refuseHung(error);
    const parent = dirname(path);
    return parent === path ? path : join(await realPath(parent), basename(path));
  }
}

/** Throws `not_a_directory` for a file system that does not answer. */
export function refuseHung(error: unknown): void {
  if (error instanceof HungError)
    throw new InterlinguaError("not_a_directory", error.message, { cause: error });
}
