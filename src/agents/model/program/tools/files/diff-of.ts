/** The diff of a changed file, where it is short enough to be shown. */
import { unifiedDiff } from "../../../../../core/unified-diff.ts";

export const MAX_DIFF_LENGTH = 256 * 1024;

/** `before` is undefined for a new file, `after` for a deleted one. */
export function diffOf(
  path: string,
  before: string | undefined,
  after: string | undefined,
): string | undefined {
  const diff = unifiedDiff(path, before, after);
  return diff.length <= MAX_DIFF_LENGTH ? diff : undefined;
}
