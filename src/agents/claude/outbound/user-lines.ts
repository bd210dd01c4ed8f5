/** Lines in the user's name: results of tools, prompts repeated to us, and what Claude Code tells its model. */
import type { Draft } from "../../../core/draft.ts";
import { isRecord } from "../../../core/is-record.ts";
import { withoutEntry } from "../../transport/map-entry.ts";
import type { ClaudeState } from "../conversation-state.ts";
import type { UserLine, WireBlock, WireToolResult } from "../wire.ts";
import { endCompaction } from "./compaction.ts";
import { fileEdit } from "./file-edit.ts";
import { readPlan } from "./plan.ts";
import { readReplay } from "./prompts.ts";
import { beginBackground } from "./tasks.ts";
import { textField } from "./tool-display.ts";
import { exitCodeOf, reportOf, resultFiles, resultText, toolErrorText } from "./tool-output.ts";

type Translation = readonly [ClaudeState, readonly Draft[]];

/** What a call gets as its result when a person stopped the turn, told beside it. */
const REJECTED = "User rejected tool use";

export function readUser(state: ClaudeState, line: UserLine): Translation {
  const { content } = line.message;
  if (line.isReplay) return readReplay(state, line.uuid);
  if (line.isSynthetic) return endCompaction(state, resultText(content));
  let next = state;
  const drafts: Draft[] = [];
  // All other text is for the model only: that it was interrupted, the prompt of a sub-agent.
  for (const block of typeof content === "string" ? [] : content) {
    if (!isToolResult(block)) continue;
    const [after, more] = readToolResult(next, line, block);
    next = after;
    drafts.push(...more);
  }
  return [next, drafts];
}

function isToolResult(block: WireBlock): block is WireToolResult {
  return block.type === "tool_result";
}

function readToolResult(state: ClaudeState, line: UserLine, result: WireToolResult): Translation {
  const { tool_use_id: call, content } = result;
  const parent = line.parent_tool_use_id ?? undefined;
  const origin = parent === undefined ? {} : { parent };
  const structured = line.tool_use_result;
  const known = state.calls.get(call);
  const settled: ClaudeState = {
    ...state,
    calls: withoutEntry(state.calls, call),
    wholeMessages: withoutEntry(state.wholeMessages, call),
  };
  if (result.is_error) {
    if (isRejected(line, call))
      return [settled, [{ type: "tool.abandoned", call, reason: "interrupted", ...origin }]];
    const error = toolErrorText(content);
    return [settled, [{ type: "tool.failed", call, error, ...exitCodeOf(error), ...origin }]];
  }
  const task = backgroundTask(structured);
  if (task !== undefined) {
    const [begun, started] = beginBackground(settled, task, call);
    const output = "Running in the background.";
    return [
      begun,
      [...started, { type: "tool.output", call, output, running: true, metadata: { task }, ...origin }],
    ];
  }
  const [planned, plan] = readPlan(settled, known, structured, parent);
  const isAgent = known?.name === "Agent" || known?.name === "Task";
  const output = (isAgent ? reportOf(structured) : undefined) ?? resultText(content);
  return [
    planned,
    [
      ...fileEdit(structured, call, parent),
      ...plan,
      ...resultFiles(content, parent),
      { type: "tool.output", call, output, ...origin },
    ],
  ];
}

function isRejected(
  { tool_use_result: structured, tool_result_meta: meta }: UserLine,
  call: string,
): boolean {
  if (structured === REJECTED) return true;
  return meta?.some(({ id, non_execution_kind: kind }) => id === call && kind === "user-rejected") ?? false;
}

/** The task a call went on as. */
function backgroundTask(structured: unknown): string | undefined {
  if (!isRecord(structured)) return undefined;
  if (structured.status === "async_launched") return textField(structured, "agentId");
  return textField(structured, "backgroundTaskId");
}
