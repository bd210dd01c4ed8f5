/** What of the mock's events the translator has no use for. */
import type { WireEvent, WireEventName } from "../wire.ts";

/** The fields outbound.ts and event.ts read. */
const USED: Readonly<Record<WireEventName, readonly string[]>> = {
  turn_started: ["prompt", "cause", "text", "task"],
  turn_finished: ["reason", "error"],
  steering_taken: ["prompt"],
  steering_returned: ["prompt", "reason"],
  step_started: [],
  step_finished: [],
  block_started: ["block", "kind", "under", "task"],
  block_delta: ["block", "kind", "text"],
  block_finished: ["block", "kind"],
  retracted: ["blocks", "calls", "reason"],
  call_started: ["call", "tool", "title", "kind", "under", "task"],
  call_input_delta: ["call", "text"],
  call_input: ["call", "input"],
  call_progress: ["call", "progress"],
  call_output_delta: ["call", "text"],
  call_output: ["call", "output", "exitCode", "partial", "continues"],
  call_failed: ["call", "error"],
  call_denied: ["call", "note"],
  call_corrected: ["call", "output", "exitCode"],
  ask: ["ask", "kind", "call", "title", "details", "options", "questions", "changes", "editable"],
  ask_withdrawn: ["ask"],
  file_changed: ["call", "path", "change", "diff"],
  todo: ["items"],
  citation: ["citation", "url", "title"],
  attachment: ["url", "mediaType", "filename"],
  spent: ["tokens", "dollars", "model", "window"],
  remark: ["level", "code", "text"],
  configuration: ["configuration"],
  compacting: [],
  compacted: ["summary", "tokensBefore", "tokensAfter"],
  task_started: ["task", "title", "call"],
  task_progress: ["task", "status", "progress"],
  task_finished: ["task", "result", "summary"],
};

/** Undefined when all of it was used. */
export function unreadFields(message: WireEvent): readonly string[] | undefined {
  const used = USED[message.event];
  let unread: string[] | undefined;
  for (const field in message) {
    if (field === "event" || used.includes(field)) continue;
    unread ??= [];
    unread.push(`${message.event}.${field}`);
  }
  return unread;
}
