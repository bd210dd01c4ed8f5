/** Which files a restore is limited to: as clients name them, and as the workspace does. */
import { isAbsolute, relative, resolve, sep } from "node:path";
import { InterlinguaError } from "../../core/error.ts";
import type { RestorePlan } from "../../core/workspace.ts";
import type { RestoreFiles } from "../../protocol/commands/command-types.ts";

/** Relative to the directory, whichever way they were written. Undefined for all there is. */
export function normalizePaths(
  directory: string,
  paths: readonly string[] | undefined,
): string[] | undefined {
  const normalized = paths?.map((path, index) => {
    const inside = relative(directory, resolve(directory, path));
    const isOutside = inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside);
    if (path !== "" && !isOutside) return inside;
    throw wrongPaths(
      `paths.${index}`,
      path === "" ? "is empty" : `is outside ${directory}: give a path relative to that directory`,
    );
  });
  return normalized?.includes("") ? undefined : normalized;
}

/** Throws if only the conversation would go back, although files were named. */
export function assertSomeMatch(
  { changes, conflicts }: RestorePlan,
  { paths, conversation }: Pick<RestoreFiles, "paths" | "conversation">,
): void {
  if (!paths || !conversation || changes.length > 0 || conflicts.length > 0) return;
  throw wrongPaths(
    "paths",
    "match no file that would go back, so the conversation does not go back either. Name others, or say `files: false` for the conversation alone",
  );
}

function wrongPaths(path: string, message: string): InterlinguaError {
  return new InterlinguaError("invalid_request", `${path}: ${message}.`, { errors: [{ path, message }] });
}
