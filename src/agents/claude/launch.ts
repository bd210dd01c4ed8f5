/** How Claude Code is started: one process for a session, spoken to in lines of JSON. */
import type { ConnectOptions } from "../../core/adapter.ts";
import type { PermissionMode } from "../../core/capability.ts";
import { InterlinguaError } from "../../core/error.ts";
import type { FoundProgram } from "../../core/program.ts";
import type { Launch } from "../transport/open-child-session.ts";
import { requireResumeId } from "../transport/resume-id.ts";
import { ENVIRONMENT_DEFAULTS, ENVIRONMENT_KEYS } from "./environment.ts";
import { PERMISSIONS } from "./manifest.ts";
import type { ClaudeOptions } from "./options.ts";

const PROTOCOL = [
  ...["--print", "--verbose", "--input-format=stream-json", "--output-format=stream-json"],
  ...["--include-partial-messages", "--replay-user-messages"],
  // Asks come as control requests on its output and are answered on its input.
  "--permission-prompt-tool=stdio",
];

export interface LaunchOptions {
  readonly connect: ConnectOptions;
  readonly options: ClaudeOptions;
  readonly program: FoundProgram;
  /** Whether Claude Code lets this user switch its permission checks off at all. */
  readonly mayBypass: boolean;
}

export function launch({ connect, options, program, mayBypass }: LaunchOptions): Launch {
  return {
    command: program.command,
    args: [...program.args, ...PROTOCOL, ...sessionFlags(connect, mayBypass), ...optionFlags(options)],
    cwd: connect.cwd,
    sessionId: connect.sessionId,
    keys: ENVIRONMENT_KEYS,
    environment: { ...ENVIRONMENT_DEFAULTS, ...connect.environment },
  };
}

/** Model and mode are given again at each start, so that they outlive the process. */
function sessionFlags(connect: ConnectOptions, mayBypass: boolean): string[] {
  const { model, permissionMode } = connect;
  return [
    ...conversationFlags(connect),
    ...flag("model", model),
    ...flag("permission-mode", permissionMode && PERMISSIONS[permissionMode as PermissionMode]),
    // Otherwise a later change to bypass would be refused. It switches nothing off by itself.
    ...(mayBypass ? ["--allow-dangerously-skip-permissions"] : []),
  ];
}

/** A copy goes up to an entry of the conversation, and gets an id of its own with its first prompt. */
function conversationFlags(connect: ConnectOptions): string[] {
  const { fork } = connect;
  if (!fork) return flag("resume", requireResumeId("Claude Code", connect));
  const { agentSessionId, after, before } = fork;
  if (after === undefined && before !== undefined)
    throw new InterlinguaError(
      "conversation_lost",
      "It is not known where in Claude Code's conversation the copy ends.",
    );
  return [...flag("resume", agentSessionId), ...flag("resume-session-at", after), "--fork-session"];
}

function optionFlags(options: ClaudeOptions): string[] {
  return [
    ...flag("allowedTools", options.allowedTools),
    ...flag("disallowedTools", options.disallowedTools),
    ...flag("tools", options.tools?.join(",")),
    ...flag("add-dir", options.additionalDirectories),
    ...flag("append-system-prompt", options.appendSystemPrompt),
    ...flag("max-turns", options.maxTurns),
    ...flag("max-budget-usd", options.maxBudgetUsd),
    ...flag("effort", options.effort),
    ...flag("max-thinking-tokens", options.maxThinkingTokens),
    ...flag("fallback-model", options.fallbackModel),
    ...flag("setting-sources", options.settingSources?.join(",")),
    ...(options.strictMcpConfig ? ["--strict-mcp-config"] : []),
  ];
}

/** One flag for each value, joined by `=`: some flags swallow all words that follow, and a value may begin with `-`. */
function flag(name: string, value: string | number | readonly string[] | undefined): string[] {
  if (value === undefined) return [];
  const values = typeof value === "object" ? value : [value];
  return values.map((one) => `--${name}=${one}`);
}
