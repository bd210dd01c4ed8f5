/** The search path for programs. */
import { delimiter } from "node:path";

/** `npm run` and `npx` put these in front; we must find the person's own programs, not our dependencies. */
const NPM_ENTRY = /(^|\/)(node_modules\/\.bin|node-gyp-bin)\/*$/;

/** The `PATH` of the environment without what npm added to it; empty when there is none. */
export function searchPath(environment: NodeJS.ProcessEnv): string {
  return (environment.PATH ?? "")
    .split(delimiter)
    .filter((entry) => !NPM_ENTRY.test(entry))
    .join(delimiter);
}
