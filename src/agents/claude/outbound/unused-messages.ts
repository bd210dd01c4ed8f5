/** Lines of Claude Code we know and have no use for, and why. */
import type { ClaudeMessageName } from "../../schemas/message-names.ts";
import { unusedMessages } from "../../transport/unused-messages.ts";

export const UNUSED_MESSAGES = unusedMessages<ClaudeMessageName>({
  "Other lines tell it": [
    "conversation_reset",
    "system/background_tasks_changed",
    "system/control_request_progress",
    "system/model_refusal_no_fallback",
    "system/session_state_changed",
    "system/elicitation_complete",
  ],
  "A sign of life": ["keep_alive", "system/thinking_tokens"],
  "It is of use to a terminal": ["prompt_suggestion", "active_goal"],
  "It is told when it has ended": ["system/hook_started", "system/hook_progress"],
  "What it remembers and where it keeps it is its own affair": [
    "system/memory_recall",
    "system/files_persisted",
  ],
  "The end of the process tells it": ["system/worker_shutting_down"],
});
