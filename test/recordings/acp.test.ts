/** Every recording of an ACP agent through our translator: well formed, readable, and where it matters read by eye. */
import { protocol } from "../../src/agents/acp/protocol.ts";
import { describeRecordings } from "./describe-recordings.ts";

/** Two or more of each agent. */
const VIEWS = [
  "claude-agent-acp-ask",
  "claude-agent-acp-error",
  "claude-agent-acp-shell-allow",
  "cline-cancel-permission",
  "cline-shell-reject",
  "codex-acp-cancel-permission",
  "codex-acp-error",
  "codex-acp-load",
  "copilot-load",
  "copilot-shell-reject",
  "droid-error",
  "droid-shell-allow",
  "gemini-load",
  "gemini-modes",
  "gemini-write-fsempty",
  "goose-shell-allow",
  "goose-unauthorized",
  "grok-ask",
  "grok-write-allow",
  "kilo-shell-reject",
  "kilo-unauthorized",
  "kimi-shell-allow",
  "kimi-shell-reject",
  "opencode-cancel",
  "opencode-write-allow",
  "pi-error",
  "pi-shell-allow",
  "qwen-cancel-permission",
  "qwen-shell-allow",
  "qwen-todo",
  "sample-agent-ask",
  "sample-agent-shell-reject",
  "zed-codex-acp-load",
  "zed-codex-acp-shell-allow",
];

/** Where lines were lost or came twice, something of everything: asks, tools, plans, two processes. */
const DAMAGED = [
  "claude-agent-acp-ask",
  "codex-acp-load",
  "gemini-cancel-permission",
  "grok-shell-allow",
  "qwen-todo",
];

describeRecordings({ agent: "acp", protocol, atLeast: 217, views: VIEWS, damaged: DAMAGED });
