/** Combines the sources of settings: a flag beats a variable, a variable beats the file, the file beats the default. */
import { join, resolve } from "node:path";
import { type Config, withDefaults } from "./config.ts";
import { ConfigError } from "./config-error.ts";
import { type ConfigFile, readConfigFile } from "./config-file.ts";
import { absoluteData, defaultDataDirectory, IN_MEMORY } from "./data-location.ts";
import { readEnvironment, readFlags } from "./read-settings.ts";

export interface ConfigSources {
  /** As `parseArgs` gives them, by flag name; others than ours are ignored. */
  flags: Readonly<Record<string, unknown>>;
  environment: NodeJS.ProcessEnv;
  cwd: string;
}

/**
 * Reads and checks every source by itself; what the settings mean together is for checkConfig.
 *
 * @example resolveConfig({ flags: { port: "0" }, environment: process.env, cwd: process.cwd() });
 */
export function resolveConfig({ flags, environment, cwd }: ConfigSources): Config {
  const given = { ...readEnvironment(environment), ...readFlags(flags) };
  const absolute = (path: string) => resolve(cwd, path);
  const data = given.data === undefined ? undefined : absoluteData(given.data, cwd);
  const file = findConfigFile({
    named: namedConfigFile(flags, environment, absolute),
    data: data ?? defaultDataDirectory(environment),
  });
  return withDefaults(
    {
      ...file,
      ...given,
      data: data ?? file.data,
      dialectModules: file.dialects,
      tokenFile: given.tokenFile === undefined ? file.tokenFile : absolute(given.tokenFile),
      roots: given.roots?.map(absolute) ?? file.roots,
      sharedRoots: given.sharedRoots?.map(absolute) ?? file.sharedRoots,
      gitRoots: given.gitRoots?.map(absolute) ?? file.gitRoots,
      checkpointDirectory:
        given.checkpointDirectory === undefined
          ? file.checkpointDirectory
          : absolute(given.checkpointDirectory),
      agentsmithyWorkspace:
        given.agentsmithyWorkspace === undefined
          ? file.agentsmithyWorkspace
          : absolute(given.agentsmithyWorkspace),
      token: readToken(environment),
      formerToken: environment.INTERLINGUA_FORMER_TOKEN?.trim() || undefined,
      clusterSecret: environment.INTERLINGUA_CLUSTER_SECRET?.trim() || undefined,
    },
    { cwd, environment },
  );
}

function namedConfigFile(
  flags: ConfigSources["flags"],
  environment: NodeJS.ProcessEnv,
  absolute: (path: string) => string,
): string | undefined {
  const named = (flags.config as string | undefined) ?? environment.INTERLINGUA_CONFIG;
  return named ? absolute(named) : undefined;
}

/** A named file has to exist; the one in the data directory is optional. */
function findConfigFile({ named, data }: { named?: string; data: string }): ConfigFile {
  if (named !== undefined) {
    const file = readConfigFile(named);
    if (!file) throw new ConfigError(`--config: there is no file ${named}. Give the path of a JSON file.`);
    return file;
  }
  if (data === IN_MEMORY) return {};
  const path = join(data, "config.json");
  const file = readConfigFile(path) ?? {};
  if (file.data !== undefined && file.data !== data) {
    throw new ConfigError(`${path}: data: a file inside the data directory cannot move it. Use --data.`);
  }
  return file;
}

function readToken(environment: NodeJS.ProcessEnv): string | undefined {
  return environment.INTERLINGUA_TOKEN?.trim() || undefined;
}
