/** The default location of the data. */
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** Instead of a directory: nothing outlives the daemon. */
export const IN_MEMORY = ":memory:";

export function defaultDataDirectory(environment: NodeJS.ProcessEnv): string {
  const { XDG_DATA_HOME: dataHome, HOME: home } = environment;
  // The XDG specification asks to ignore relative paths.
  const base = dataHome && isAbsolute(dataHome) ? dataHome : join(home || homedir(), ".local", "share");
  return join(base, "interlingua");
}
