/** Which of the ACP agents that come with us are installed for the suite. */
export const ACP_NAMES: readonly string[] = [
  "claude-agent-acp",
  "codex-acp",
  "opencode-acp",
  "copilot",
  "qwen",
  "grok",
  "pi",
  "gemini",
  "droid",
  "goose",
  "cline",
  "kimi",
  "kilo",
];
