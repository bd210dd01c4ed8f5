/** The search path for programs. */

/** `npm run` and `npx` put these first. Programs that the user installed must win over our dependencies. */
const NPM_ENTRY = /(^|\/)(node_modules\/\.bin|node-gyp-bin)\/*$/;

/**
 * The `PATH` of an environment without npm's entries and without relative ones; empty when nothing is left. A child looks
 * relative entries up in its working directory, which is a user's project: a file `git` there would run instead of git.
 */
export function searchPath({ PATH = "" }: Readonly<Record<string, string | undefined>>): string {
  return PATH.split(":")
    .filter((entry) => entry.startsWith("/") && !NPM_ENTRY.test(entry))
    .join(":");
}
