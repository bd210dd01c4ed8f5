/**
 * Gives a daemon its secrets through a pipe. Other programs of the same user can read the environment that a process was
 * started with. `bin/hide-secrets.js` reads the pipe.
 */
import type { ChildProcess } from "node:child_process";
import type { Writable } from "node:stream";
import { missingNodeOptions, OWN_SECRETS } from "../../bin/daemon-launch.js";

/** The descriptor of the pipe in the daemon, as its place in `stdio`. */
const DESCRIPTOR = 3;

export interface SplitEnvironment {
  readonly environment: NodeJS.ProcessEnv;
  readonly secrets: NodeJS.ProcessEnv;
}

/**
 * @example
 * const { environment, secrets } = splitSecrets(process.env);
 * const child = spawn(program, { env: readingSecrets(environment), stdio: ["ignore", "pipe", "pipe", "pipe"] });
 * handOverSecrets(child, secrets);
 */
export function splitSecrets(all: NodeJS.ProcessEnv): SplitEnvironment {
  const isSecret = (name: string) => OWN_SECRETS.includes(name);
  const pick = (wanted: boolean) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => isSecret(name) === wanted));
  return { environment: pick(false), secrets: pick(true) };
}

/**
 * The options for a Node that runs the daemon. Without them the daemon replaces itself to get them, and a pipe does not
 * survive that. None for a Node that cannot replace itself: some of these do not know the options.
 */
export function nodeOptions(environment: NodeJS.ProcessEnv): string[] {
  return process.execve ? missingNodeOptions(environment.NODE_OPTIONS ?? "") : [];
}

/** The environment of a daemon that is given its secrets by `handOverSecrets`. */
export function readingSecrets(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...environment, INTERLINGUA_SECRETS_FROM: String(DESCRIPTOR) };
}

/** @param child Its fourth entry of `stdio` is a pipe. */
export function handOverSecrets(child: ChildProcess, secrets: NodeJS.ProcessEnv): void {
  // Absent where the program could not be started.
  const pipe = child.stdio?.[DESCRIPTOR] as Writable | null | undefined;
  // A child that ended before it read them says why by its exit.
  pipe?.on("error", () => {});
  pipe?.end(JSON.stringify(secrets));
}
