/** The fields of events: which ones an event needs, and which ones the translator does not read. */
import type { WireEvent, WireEventName } from "../wire.ts";

/** An event needs the first list, all strings. The translator also reads the second. */
const FIELDS: Readonly<Record<WireEventName, readonly [readonly string[], (readonly string[])?]>> = {
  turn_started: [["turn"], ["prompt", "cause", "text", "task"]],
  turn_finished: [["turn", "reason"], ["error"]],
  steering_taken: [["prompt"]],
  steering_returned: [["prompt", "reason"]],
  step_started: [[]],
  step_finished: [[]],
  block_started: [["block"], ["kind", "under", "task"]],
  block_delta: [["block", "text"], ["kind"]],
  block_finished: [["block"], ["kind"]],
  part: [[]],
  retracted: [["reason"], ["blocks", "calls"]],
  discarded: [["reason"], ["request", "parts", "calls"]],
  call_started: [
    ["call", "tool"],
    ["title", "kind", "under", "task"],
  ],
  call_described: [["call", "tool", "title"]],
  call_input_delta: [["call", "text"]],
  call_input: [["call"], ["input"]],
  call_progress: [["call"], ["progress"]],
  call_output_delta: [["call", "text"]],
  call_output: [["call"], ["output", "exitCode", "partial", "continues"]],
  call_failed: [
    ["call", "error"],
    ["output", "exitCode"],
  ],
  call_denied: [["call"], ["note"]],
  call_corrected: [["call"], ["output", "exitCode"]],
  ask: [
    ["ask", "kind", "title"],
    ["call", "details", "options", "questions", "changes", "editable"],
  ],
  ask_withdrawn: [["ask"]],
  file_changed: [
    ["path", "change"],
    ["call", "diff"],
  ],
  todo: [[], ["items"]],
  plan: [[], ["items"]],
  title: [["title"]],
  citation: [["citation"], ["url", "title"]],
  attachment: [["url", "mediaType"], ["filename"]],
  spent: [[], ["tokens", "dollars", "model", "window"]],
  remark: [["code", "text"], ["level"]],
  retry: [
    ["code", "reason"],
    ["attempt", "of", "waitMs"],
  ],
  configuration: [[], ["configuration"]],
  compacting: [[], ["trigger"]],
  compacted: [["summary"], ["tokensBefore", "tokensAfter"]],
  compaction_failed: [["reason"]],
  compaction_skipped: [["reason"], ["tokens"]],
  task_started: [["task", "title"], ["call"]],
  task_progress: [["task"], ["status", "progress"]],
  task_finished: [["task", "result"], ["summary"]],
};

/** Whether a message is a known event with all the fields it needs. */
export function isWireEvent(message: object): message is WireEvent {
  const fields = message as Readonly<Record<string, unknown>>;
  const { event } = fields;
  if (typeof event !== "string" || !Object.hasOwn(FIELDS, event)) return false;
  const [needed] = FIELDS[event as WireEventName];
  return needed.every((field) => typeof fields[field] === "string");
}

/** Undefined if the translator reads all fields. */
export function unreadFields(message: WireEvent): readonly string[] | undefined {
  const [needed, others] = FIELDS[message.event];
  let unread: string[] | undefined;
  for (const field in message) {
    // Turns run one at a time, so nothing reads the id of a turn.
    const isRead = field !== "turn" && (needed.includes(field) || others?.includes(field));
    if (field === "event" || isRead) continue;
    unread ??= [];
    unread.push(`${message.event}.${field}`);
  }
  return unread;
}
