/** How Codex is started: one app-server for all sessions with the same program and environment. */
import { createHash } from "node:crypto";
import type { FoundProgram } from "../../core/program.ts";
import type { HostSpawnOptions } from "../../process/process-host.ts";
import { ENVIRONMENT_KEYS } from "./manifest.ts";

/** The tail of stderr that goes into exit records and errors. */
const MAX_STDERR_BYTES = 16 * 1024;

export interface LaunchOptions {
  readonly program: FoundProgram;
  /** The session's own. Secret. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Sign in for this process alone, and leave what is stored on disk as it is. */
  readonly isSignInEphemeral?: boolean;
}

export function launch({ program, environment, isSignInEphemeral }: LaunchOptions): HostSpawnOptions {
  const { command, args } = program;
  const store = isSignInEphemeral ? ["-c", 'cli_auth_credentials_store="ephemeral"'] : [];
  return {
    command,
    args: [...args, "app-server", ...store],
    // Threads have directories of their own; here nobody can leave a config for it.
    cwd: "/",
    keys: ENVIRONMENT_KEYS,
    environment,
    maxStderrBytes: MAX_STDERR_BYTES,
  };
}

/** Equal for all sessions that can share a process. A digest: it must not keep secrets around. */
export function processKey({ program, environment = {} }: LaunchOptions): string {
  const variables = Object.entries(environment).sort(([one], [other]) => (one < other ? -1 : 1));
  const whole = JSON.stringify([program.command, program.args, variables]);
  return createHash("sha256").update(whole).digest("hex");
}
