/** Every recording of OpenCode through our translator: well formed, readable, and where it matters read by eye. */
import { protocol } from "../../src/agents/opencode/protocol.ts";
import { describeRecordings } from "./describe-recordings.ts";

const VIEWS = [
  "abort_text",
  "anthropic_reasoning",
  "cli_run_json",
  "concurrent_two_dirs",
  "dispose_instance",
  "edit_revert_unrevert",
  "error_bad_requests",
  "error_midstream_sse",
  "fork_summarize_share",
  "image_part",
  "kill9_mid_text",
  "metadata",
  "no_reply_context",
  "permission_always",
  "permission_session_rules",
  "prompt_sync",
  "question_reply",
  "shell_and_command",
  "structured_output",
  "subagent_task",
  "tool_bash_progress",
  "tool_unknown",
];

/** Something of everything: two streams, asks, a sub-agent, going back, two processes. */
const DAMAGED = [
  "concurrent_two_dirs",
  "edit_revert_unrevert",
  "kill9_mid_tool",
  "permission_double_reply",
  "subagent_task",
];

describeRecordings({ agent: "opencode", protocol, atLeast: 46, views: VIEWS, damaged: DAMAGED });
