/** How Amp is started for a turn: with the flags this version has. */
import type { ConnectOptions } from "../../core/adapter.ts";
import type { FoundProgram } from "../../core/program.ts";
import type { Launch } from "../transport/open-child-session.ts";
import type { AmpState } from "./conversation-state.ts";
import type { AmpFlags } from "./help.ts";
import { ENVIRONMENT_KEYS, MODEL_FLAG, requireMode } from "./manifest.ts";

const ALLOW_ALL = "--dangerously-allow-all";
/** Versions since July 2026 do not tell about these, and some still take them. */
const HIDDEN = [ALLOW_ALL];

export interface LaunchOptions {
  readonly connect: ConnectOptions;
  readonly program: FoundProgram;
  readonly flags: AmpFlags;
  /** A file with the session's MCP servers. */
  readonly mcpFile?: string;
}

export function launch(
  { connect, program, flags, mcpFile }: LaunchOptions,
  state: AmpState,
  text: string,
): Launch {
  const { choice, thread, unknownFlags } = state;
  const model = choice.model ?? connect.model;
  const mode = choice.mode ?? connect.mode;
  const permissionMode = choice.permissionMode ?? connect.permissionMode;
  const has = (name: string) =>
    (flags.names.has(name) || HIDDEN.includes(name)) && !unknownFlags.includes(name);
  const flag = (name: string, ...values: string[]) => (has(name) ? [name, ...values] : []);
  return {
    command: program.command,
    args: [
      ...program.args,
      ...(thread === undefined ? [] : ["threads", "continue", thread]),
      // The prompt goes over its input: everybody on the machine can read a command line.
      ...(takesInput(flags) ? ["--execute", "--stream-json-input"] : ["--execute", text]),
      ...(has("--stream-json-thinking") ? ["--stream-json-thinking"] : ["--stream-json"]),
      ...(permissionMode === "bypass" ? flag(ALLOW_ALL) : []),
      ...(model === undefined ? [] : flag(MODEL_FLAG, model)),
      ...(mode === undefined ? [] : flag("--mode", requireMode(mode, flags.modes))),
      ...(mcpFile === undefined ? [] : flag("--mcp-config", mcpFile)),
      ...flag("--no-ide"),
      ...flag("--no-notifications"),
      // Otherwise a new thread is archived after its first turn.
      ...flag("--no-archive-after-execute"),
    ],
    cwd: connect.cwd,
    sessionId: connect.sessionId,
    keys: ENVIRONMENT_KEYS,
    environment: connect.environment,
  };
}

/** Whether prompts are given as lines. */
export function takesInput({ names }: AmpFlags): boolean {
  return names.has("--stream-json-input");
}
