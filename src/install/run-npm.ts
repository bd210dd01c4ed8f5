/** Runs npm's clean installation in a folder: exact versions, checked against their integrity, no install scripts. */
import type { ProcessHost } from "../process/process-host.ts";
import { explainNpmFailure } from "./explain-npm-failure.ts";

/** Each of these could be set otherwise in the user's configuration, which stays in force for all else. */
const ARGUMENTS = [
  "ci",
  ...["--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"],
  ...["--include=optional", "--install-strategy=hoisted", "--no-global", "--no-dry-run"],
  // Native programs do not depend on it, and scripts run on our own Node.
  "--engine-strict=false",
  "--loglevel=error",
];

/**
 * Variables that configure npm. Lower-case `npm_*` variables are left out: the npm that started us sets them for its
 * own children.
 */
const KEYS = ["NPM_CONFIG_*", "NPM_TOKEN", "NODE_AUTH_TOKEN"];

export interface NpmRun {
  /** npm's absolute path. */
  readonly npm: string;
  readonly directory: string;
  readonly processHost: ProcessHost;
  readonly signal: AbortSignal;
  /** Further arguments, for another platform than this one. */
  readonly args?: readonly string[];
}

/** Rejects with `install_failed`, or with the signal's reason once npm is gone. */
export async function runNpm({ npm, directory, processHost, signal, args = [] }: NpmRun): Promise<void> {
  signal.throwIfAborted();
  const child = await processHost.spawn({
    command: npm,
    args: [...ARGUMENTS, ...args],
    cwd: directory,
    keys: KEYS,
  });
  const stop = () => void child.end().catch(() => {});
  signal.addEventListener("abort", stop, { once: true });
  try {
    if (signal.aborted) stop();
    child.closeInput();
    // An unread pipe would hold npm up.
    for await (const _ of child.lines);
    const exit = await child.exited;
    signal.throwIfAborted();
    if (exit.code !== 0) throw explainNpmFailure(child.stderrTail(), exit);
  } finally {
    signal.removeEventListener("abort", stop);
    await child.end();
  }
}
