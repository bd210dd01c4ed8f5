/** `tool_progress` and `tool_use_summary` → drafts of calls and of background work. */
import type { Draft } from "../../core/draft.ts";
import { withoutUndefined } from "../../core/without-undefined.ts";
import type { UnifiedContent, UnifiedMessage } from "../unified-message.ts";
import type { KnownCalls, Origin } from "./known-calls.ts";
import { type Metadata, numberIn, ownIn, recordIn, textIn, textsIn } from "./metadata.ts";

export function progressDrafts(message: UnifiedMessage, calls: KnownCalls, origin: Origin): Draft[] {
  const { metadata, content } = message;
  const kind = textIn(metadata, "kind");
  if (kind === "task") return taskDrafts(metadata, content);
  if (kind === "file_edit") return editDrafts(metadata, origin);
  const call = textIn(metadata, "tool_use_id");
  if (call === undefined) return [];
  const name = textIn(metadata, "tool_name", "tool");
  const begun = calls.whole(call, name, recordIn(metadata, "input"), origin);
  const output = textOf(content);
  switch (kind) {
    case "details": {
      const locations = ownIn(metadata, "locations");
      const details = withoutUndefined({
        title: textIn(metadata, "title"),
        kind: textIn(metadata, "tool_kind"),
        ...(Array.isArray(locations) && { locations }),
      });
      return [...begun, { type: "tool.start", call, name: name ?? "", ...details, ...origin }];
    }
    case "preview": {
      const preview = ownIn(metadata, "output") ?? null;
      return [...begun, { type: "tool.output", call, output: preview, preliminary: true, ...origin }];
    }
    case "output":
      if (output === "") return begun;
      return [...begun, { type: "tool.output.delta", call, delta: output, ...origin }];
    default:
      return [...begun, { type: "tool.progress", call, progress: progressOf(metadata), ...origin }];
  }
}

/** What an adapter tells of a running tool, in its own words. */
function progressOf(metadata: Metadata): unknown {
  if (Object.hasOwn(metadata, "progress")) return metadata.progress;
  const { session_id: _session, tool_use_id: _call, tool_name: _name, input: _input, ...rest } = metadata;
  return rest;
}

export function summaryDrafts(message: UnifiedMessage, calls: KnownCalls, origin: Origin): Draft[] {
  const { metadata, content } = message;
  const kind = textIn(metadata, "kind");
  if (kind === "task") return taskDrafts(metadata, content);
  const results = content.flatMap((block) => (block.type === "tool_result" ? [block] : []));
  const named = textIn(metadata, "tool_use_id");
  const isSummary = kind === "summary" || (named === undefined && results.length === 0);
  if (isSummary) {
    const text = textIn(metadata, "summary") ?? textOf(content);
    const about = textsIn(metadata, "preceding_tool_use_ids");
    return text === "" ? [] : [{ type: "tool.summary", calls: about, text, ...origin }];
  }
  if (results.length > 0)
    return results.flatMap((result) => resultDrafts(result.tool_use_id, metadata, result, calls, origin));
  return resultDrafts(named!, metadata, undefined, calls, origin);
}

type Result = Extract<UnifiedContent, { type: "tool_result" }>;

/** Each call is settled once. What comes later amends it if it says so, and is dropped as a repetition if it does not. */
export function resultDrafts(
  call: string,
  metadata: Metadata,
  block: Result | undefined,
  calls: KnownCalls,
  origin: Origin,
): Draft[] {
  const status = textIn(metadata, "status");
  const isError = block?.is_error ?? (metadata.is_error === true || status === "failed");
  const begun = calls.start(call, textIn(metadata, "tool_name", "tool"), origin);
  const isAmended = metadata.amended === true;
  if (!calls.settle(call) && !isAmended) return begun;
  const text = block?.content ?? textIn(metadata, "error", "summary");
  const output = ownIn(metadata, "output") ?? (isError ? undefined : (text ?? null));
  const details = withoutUndefined({
    exitCode: numberIn(metadata, "exit_code"),
    metadata: ownIn(metadata, "tool_metadata"),
    ...origin,
  });
  if (isAmended) {
    const error = isError ? { error: text ?? "" } : {};
    return [...begun, { type: "tool.amended", call, ...withoutUndefined({ output }), ...error, ...details }];
  }
  if (status === "denied")
    return [...begun, { type: "tool.denied", call, ...(text && { reason: text }), ...origin }];
  if (status === "abandoned")
    return [...begun, { type: "tool.abandoned", call, reason: text ?? "", ...origin }];
  if (isError)
    return [
      ...begun,
      { type: "tool.failed", call, error: text ?? "", ...withoutUndefined({ output }), ...details },
    ];
  const more = withoutUndefined({
    running: metadata.running === true ? true : undefined,
    truncatedFrom: numberIn(metadata, "truncated_from"),
  });
  return [...begun, { type: "tool.output", call, output, ...more, ...details }];
}

const TASK_OUTCOMES = ["completed", "failed", "stopped", "lost"] as const;

function taskDrafts(metadata: Metadata, content: readonly UnifiedContent[]): Draft[] {
  const task = textIn(metadata, "task_id");
  if (task === undefined) return [];
  const status = textIn(metadata, "status");
  const outcome = TASK_OUTCOMES.find((each) => each === status);
  const title = textIn(metadata, "title");
  if (outcome) {
    const end = { summary: textIn(metadata, "summary"), output: ownIn(metadata, "output") };
    return [{ type: "task.ended", task, outcome, ...withoutUndefined(end) }];
  }
  const progress = ownIn(metadata, "progress");
  const delta = textOf(content);
  const isNews = progress !== undefined || delta !== "";
  const call = textIn(metadata, "tool_use_id");
  const kind = textIn(metadata, "task_kind");
  if (!isNews && title !== undefined && status === "running")
    return [{ type: "task.started", task, title, ...withoutUndefined({ kind, call }) }];
  const told = { title, progress, status: status === "running" ? undefined : status };
  return [{ type: "task.updated", task, ...withoutUndefined(told), ...(delta !== "" && { delta }) }];
}

const CHANGES = ["created", "changed", "deleted", "moved"] as const;

function editDrafts(metadata: Metadata, origin: Origin): Draft[] {
  const path = textIn(metadata, "path");
  const kind = CHANGES.find((each) => each === metadata.change);
  if (path === undefined || !kind) return [];
  const { diff, from, call } = {
    diff: textIn(metadata, "diff"),
    from: textIn(metadata, "from"),
    call: textIn(metadata, "tool_use_id"),
  };
  return [withoutUndefined({ type: "file.edited", path, kind, diff, from, call, ...origin } as const)];
}

function textOf(content: readonly UnifiedContent[]): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}
