/** Finds the daemon a command talks to, and its token. */

import { IN_MEMORY } from "../config/data-location.ts";
import { readTokenFile } from "../config/token.ts";
import { readDaemonInfo } from "../store/sqlite/data-directory-lock.ts";
import type { Invocation } from "./command.ts";
import { UsageError } from "./usage-error.ts";

export interface DaemonAddress {
  /** Without a path. */
  readonly url: string;
  readonly token: string;
}

type Sources = Pick<Invocation, "flags" | "environment" | "cwd">;

/** No daemon runs on the data directory. */
export class NoDaemonError extends Error {
  readonly directory: string;

  constructor(directory: string) {
    super(`No daemon runs on ${directory}. Start one with: interlingua serve`);
    this.name = "NoDaemonError";
    this.directory = directory;
  }
}

/** Somebody works on the data directory and does not listen yet. */
export class DaemonStartingError extends NoDaemonError {
  constructor(directory: string) {
    super(directory);
    this.message = `The daemon on ${directory} is still starting. Try again in a moment.`;
  }
}

/** The data directory on which the daemon is looked for; undefined where the user names its address. */
export async function daemonDirectory(sources: Sources): Promise<string | undefined> {
  if (namedDaemon(sources)) return undefined;
  const { resolveConfig } = await import("../config/resolve-config.ts");
  // The other flags are the command's own, though some are called like settings of a daemon.
  const { data, config } = sources.flags.values;
  return resolveConfig({ ...sources, flags: { data, config } }).data;
}

/** The daemon the user names by its address, or the one that runs on the data directory. */
export async function findDaemon(sources: Sources): Promise<DaemonAddress> {
  const data = await daemonDirectory(sources);
  if (data === undefined) return namedDaemon(sources)!;
  if (data === IN_MEMORY) {
    throw new UsageError("--data: a daemon that keeps its data in memory is found with --url.");
  }
  return daemonOn(data, sources.environment);
}

/** The daemon that runs on a data directory. */
export function daemonOn(directory: string, environment: NodeJS.ProcessEnv): DaemonAddress {
  const info = readDaemonInfo(directory);
  if (!info) throw new NoDaemonError(directory);
  if (!info.url) throw new DaemonStartingError(directory);
  const token = environment.INTERLINGUA_TOKEN?.trim() || (info.tokenFile && readTokenFile(info.tokenFile));
  if (!token)
    throw new Error("The daemon was started with a token of its own. Set INTERLINGUA_TOKEN to the same.");
  return { url: info.url, token };
}

function namedDaemon({ flags, environment }: Sources): DaemonAddress | undefined {
  const flag = flags.text("url");
  const text = flag ?? environment.INTERLINGUA_URL?.trim();
  if (!text) return undefined;
  const name = flag === undefined ? "INTERLINGUA_URL" : "--url";
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) {
    throw new UsageError(`${name}: "${text}" is not an address. Write it like http://127.0.0.1:4111.`);
  }
  const url = new URL(text);
  const tokenInLink = new URLSearchParams(url.hash.slice(1)).get("token") ?? undefined;
  if (flag !== undefined && tokenInLink) {
    throw new UsageError("--url: others can see a token in a flag. Give it in INTERLINGUA_TOKEN instead.");
  }
  const token = environment.INTERLINGUA_TOKEN?.trim() || tokenInLink;
  if (!token) throw new UsageError(`${name} needs the daemon's token in INTERLINGUA_TOKEN.`);
  return { url: url.origin, token };
}
