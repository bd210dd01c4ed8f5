/** The default location of the data. */
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

/** Instead of a directory: nothing outlives the daemon. */
export const IN_MEMORY = ":memory:";

export function defaultDataDirectory(environment: NodeJS.ProcessEnv): string {
  const { XDG_DATA_HOME: dataHome, HOME: home } = environment;
  // The XDG specification asks to ignore relative paths.
  const base = dataHome && isAbsolute(dataHome) ? dataHome : join(home || homedir(), ".local", "share");
  return join(base, "interlingua");
}

/** Where `serve` keeps its data when no flag and no file says it. */
export function dataDirectoryFrom(environment: NodeJS.ProcessEnv, cwd: string): string {
  const named = environment.INTERLINGUA_DATA?.trim();
  return named ? absoluteData(named, cwd) : defaultDataDirectory(environment);
}

export function absoluteData(data: string, cwd: string): string {
  return data === IN_MEMORY ? data : resolve(cwd, data);
}
