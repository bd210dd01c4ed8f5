/** The flags of the commands that talk with an agent, and what they say. */
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { PERMISSION_MODES, type PermissionMode } from "../../core/capability.ts";
import { CLIENT_OPTIONS, type CommandOptions, type Flags, type Invocation } from "../command.ts";
import { UsageError } from "../usage-error.ts";

/** Whose answers are given without a person. */
export const ANSWER_OPTIONS: CommandOptions = {
  yes: { type: "boolean", help: "Allow whatever it asks to do; questions stay open" },
  deny: { type: "boolean", help: "Refuse whatever it asks" },
};

export const TALK_OPTIONS: CommandOptions = {
  agent: { type: "string", placeholder: "NAME", help: "The agent of a new session" },
  session: { type: "string", placeholder: "ID", help: "Go on with this session; with --agent make it" },
  continue: { type: "boolean", help: "Go on with the last session in this directory" },
  cwd: { type: "string", placeholder: "DIRECTORY", help: "Where the agent works (here)" },
  worktree: { type: "boolean", help: "A new session works in a git worktree, on a branch of its own" },
  model: { type: "string", placeholder: "MODEL", help: "The model to use" },
  mode: { type: "string", placeholder: "MODE", help: "build, plan or one of the agent's own" },
  permissions: {
    type: "string",
    placeholder: "MODE",
    values: PERMISSION_MODES,
    help: `What it may do unasked: ${PERMISSION_MODES.join(", ")}`,
  },
  "add-root": { type: "boolean", help: "Let this session work here, outside the daemon's directories" },
  ...ANSWER_OPTIONS,
  ...CLIENT_OPTIONS,
};

export function assertOneAnswer(flags: Flags): void {
  if (flags.on("yes") && flags.on("deny")) throw new UsageError("--yes and --deny contradict each other.");
}

/** What `--model`, `--mode` and `--permissions` ask for. */
export function settingsOf(flags: Flags): { model?: string; mode?: string; permissionMode?: PermissionMode } {
  const given = flags.text("permissions");
  const permissionMode = PERMISSION_MODES.find((known) => known === given);
  if (given !== undefined && permissionMode === undefined) {
    const known = PERMISSION_MODES.join(", ");
    throw new UsageError(`--permissions: there is no permission mode "${given}". Use one of ${known}.`);
  }
  return { model: flags.text("model"), mode: flags.text("mode"), permissionMode };
}

/** The real path of `--cwd`, or of where the command was called. */
export function directoryOf({ flags, cwd }: Pick<Invocation, "flags" | "cwd">): string {
  const directory = resolve(cwd, flags.text("cwd") ?? ".");
  try {
    return realpathSync(directory);
  } catch {
    throw new UsageError(`--cwd: there is no directory ${directory}.`);
  }
}
