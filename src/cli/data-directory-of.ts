/** The data directory a command works on itself. */
import { IN_MEMORY } from "../config/data-location.ts";
import type { Invocation } from "./command.ts";
import { UsageError } from "./usage-error.ts";

export async function dataDirectoryOf({ flags, environment, cwd }: Invocation): Promise<string> {
  const { resolveConfig } = await import("../config/resolve-config.ts");
  const { data } = resolveConfig({ flags: { data: flags.values.data }, environment, cwd });
  if (data === IN_MEMORY)
    throw new UsageError("--data: what is kept in memory has no data directory. Give a directory.");
  return data;
}
