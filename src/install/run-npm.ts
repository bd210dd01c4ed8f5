/** Runs npm's clean installation in a folder: exact versions, checked against their integrity, no install scripts. */
import { InterlinguaError } from "../core/error.ts";
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

/** A slow connection may take half of it. An npm that hangs would keep the session that wants the agent waiting for good. */
const MAX_NPM_MS = 60 * 60_000;

export interface NpmRun {
  /** npm's absolute path. */
  readonly npm: string;
  readonly directory: string;
  readonly processHost: ProcessHost;
  readonly signal: AbortSignal;
  /** Further arguments, for another platform than this one. */
  readonly args?: readonly string[];
  readonly maxMs?: number;
}

/** Rejects with `install_failed`, or with the signal's reason once npm is gone. */
export async function runNpm(options: NpmRun): Promise<void> {
  const { npm, directory, processHost, signal, args = [], maxMs = MAX_NPM_MS } = options;
  signal.throwIfAborted();
  const child = await processHost.spawn({
    command: npm,
    args: [...ARGUMENTS, ...args],
    cwd: directory,
    keys: KEYS,
  });
  const stop = () => void child.end().catch(() => {});
  signal.addEventListener("abort", stop, { once: true });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    stop();
  }, maxMs);
  try {
    if (signal.aborted) stop();
    child.closeInput();
    // An unread pipe would hold npm up.
    for await (const _ of child.lines);
    const exit = await child.exited;
    signal.throwIfAborted();
    if (isLate) throw tookTooLong(maxMs);
    if (exit.code !== 0) throw explainNpmFailure(child.stderrTail(), exit);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    await child.end();
  }
}

function tookTooLong(maxMs: number): InterlinguaError {
  const minutes = Math.round(maxMs / 60_000);
  const detail = `Nothing was installed: npm did not end within ${minutes} minutes. Check the network and the registry, and try again.`;
  return new InterlinguaError("install_failed", detail);
}
