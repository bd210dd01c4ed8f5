/** Which variables of the daemon's environment Claude Code gets. */

/** Variables Claude Code sets for the commands it runs. A daemon that was started by one must not pass them on. */
const OF_ANOTHER_SESSION = [
  ...["CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_EXECPATH", "CLAUDE_CODE_SSE_PORT"],
  ...["CLAUDE_CODE_MESSAGING_SOCKET", "CLAUDE_CODE_MESSAGING_TOKEN"],
  ...["CLAUDE_CODE_SESSION_ATTENDED", "CLAUDE_CODE_SESSION_ID", "CLAUDE_EFFORT", "CLAUDE_PID"],
];

/** `CLAUDECODE`, which says "inside a session", matches none of these. */
export const ENVIRONMENT_KEYS: readonly string[] = [
  ...["ANTHROPIC_*", "CLAUDE_*"],
  ...OF_ANOTHER_SESSION.map((name) => `!${name}`),
  ...["API_TIMEOUT_MS", "MAX_THINKING_TOKENS", "MAX_MCP_OUTPUT_TOKENS", "MCP_TIMEOUT", "MCP_TOOL_TIMEOUT"],
  ...["BASH_DEFAULT_TIMEOUT_MS", "BASH_MAX_TIMEOUT_MS", "BASH_MAX_OUTPUT_LENGTH"],
  ...["DISABLE_TELEMETRY", "DISABLE_ERROR_REPORTING", "DISABLE_PROMPT_CACHING", "IS_SANDBOX"],
];

/** Its keys and settings among these variables. */
export function ownVariables(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined &&
        /^(ANTHROPIC|CLAUDE)_/.test(entry[0]) &&
        !OF_ANOTHER_SESSION.includes(entry[0]),
    ),
  );
}

/** Claude Code must not replace itself under a running daemon. */
export const ENVIRONMENT_DEFAULTS = { DISABLE_AUTOUPDATER: "1" };

/** Claude Code does not let root switch its permission checks off, unless it is told that this is a sandbox. */
export function mayBypassPermissions(environment: NodeJS.ProcessEnv): boolean {
  return process.getuid?.() !== 0 || ["1", "true"].includes(environment.IS_SANDBOX ?? "");
}

export const BYPASS_AS_ROOT =
  "Claude Code does not switch its permission checks off for root. Run the daemon as another user, choose another permission mode, or set IS_SANDBOX=1 in the daemon's environment if this machine is a sandbox.";
