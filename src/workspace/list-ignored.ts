/** What the ignore rules of a root leave out now: files, and directories as a whole. */
import { zeroSeparated } from "./git.ts";
import { asArgument } from "./path-text.ts";
import type { Root } from "./root.ts";

/**
 * Paths in git's work tree as latin1; a directory ends with a slash, and nothing in it is listed. A file that the index
 * has is not ignored.
 */
export async function listIgnored(
  { git, prefix }: Root,
  index: string,
  signal?: AbortSignal,
): Promise<Set<string>> {
  const part = prefix === "" ? [] : ["--", asArgument(prefix)];
  const args = ["ls-files", "-z", "-o", "-i", "--exclude-standard", "--directory", ...part];
  const listed = zeroSeparated((await git.run(args, { index, signal })).stdout);
  const folders = listed.filter((path) => path.endsWith("/"));
  const ignored = new Set(listed.filter((path) => !path.endsWith("/")));
  if (folders.length === 0) return ignored;
  // A directory that has nothing but ignored files may be listed, although a new file in it would not be ignored.
  const { stdout } = await git.run(["check-ignore", "--no-index", "-z", "--stdin"], {
    // Without the dot a name that begins with a colon would be a pattern.
    input: folders.map((path) => `./${path.slice(0, -1)}\0`).join(""),
    allowedCodes: [1],
    signal,
    environment: { GIT_LITERAL_PATHSPECS: "0" },
  });
  for (const path of zeroSeparated(stdout)) ignored.add(`${path.slice(2)}/`);
  return ignored;
}
