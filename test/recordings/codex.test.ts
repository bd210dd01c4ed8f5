/** Every recording of Codex through our translator: well formed, readable, and where it matters read by eye. */
import { protocol } from "../../src/agents/codex/protocol.ts";
import { describeRecordings } from "./describe-recordings.ts";

const VIEWS = [
  "approval-command-accept-session",
  "approval-command-escalated",
  "approval-command-garbage",
  "approval-file-decline",
  "approval-permissions",
  "codemode-exec",
  "codemode-question-async",
  "command-actions",
  "command-interactive",
  "compact-auto",
  "compact-manual",
  "dynamic-tools",
  "error-400",
  "error-disconnect-final",
  "exec-json-basic",
  "fork",
  "image-input",
  "image-view-tool",
  "interrupt-text",
  "mcp-approval",
  "mcp-elicitation",
  "mcp-tools",
  "multi-thread",
  "patch-delete-move",
  "patch-fail",
  "patch-streaming",
  "plan-update",
  "resume-restart",
  "review",
  "shell-command",
  "subagents",
  "turn-overrides",
  "turn-start-while-active",
  "web-search",
];

/** Something of everything: asks, background commands, sub-agents, retries, two processes. */
const DAMAGED = [
  "approval-file-accept",
  "command-background",
  "crash-resume",
  "error-disconnect-retry",
  "steer",
  "subagent-approval",
];

describeRecordings({ agent: "codex", protocol, atLeast: 72, views: VIEWS, damaged: DAMAGED });
