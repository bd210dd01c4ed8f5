/** Work in the background: commands and sub-agents that go on while the turn does, or after it. */
import type { Draft } from "../../../core/draft.ts";
import { withEntry, withoutEntry } from "../../transport/map-entry.ts";
import type { ClaudeState, Task } from "../conversation-state.ts";
import type { WireTask, WireTaskUsage } from "../wire.ts";

type Translation = readonly [ClaudeState, readonly Draft[]];

type TaskOutcome = "completed" | "failed" | "stopped";

export interface TaskProgress extends WireTask {
  usage?: WireTaskUsage;
  last_tool_name?: string;
}

export interface TaskEnd extends WireTask {
  status: string;
  summary?: string;
  output_file?: string;
  usage?: WireTaskUsage;
}

/** Every longer command and every sub-agent is a task to Claude Code; to us only what goes on in the background. */
export function readTaskStarted(state: ClaudeState, line: WireTask): Translation {
  const task: Task = {
    title: line.description ?? line.task_id,
    kind: line.task_type === "local_agent" ? "agent" : "command",
    call: line.tool_use_id,
    isInBackground: false,
  };
  const known = { ...state, tasks: withEntry(state.tasks, line.task_id, task) };
  return line.is_backgrounded ? beginBackground(known, line.task_id) : [known, []];
}

export function readTaskUpdated(
  state: ClaudeState,
  { task_id: id, patch }: { task_id: string; patch?: { is_backgrounded?: boolean } },
): Translation {
  return patch?.is_backgrounded ? beginBackground(state, id) : [state, []];
}

/** Some versions tell only with the result of a call that it went to the background. */
export function beginBackground(state: ClaudeState, id: string, call?: string): Translation {
  const task = state.tasks.get(id) ?? {
    title: "Background work",
    kind: "command",
    call,
    isInBackground: false,
  };
  if (task.isInBackground) return [state, []];
  return [
    { ...state, tasks: withEntry(state.tasks, id, { ...task, isInBackground: true }) },
    [
      {
        type: "task.started",
        task: id,
        title: task.title,
        kind: task.kind,
        call: task.call,
      },
    ],
  ];
}

export function readTaskProgress(state: ClaudeState, line: TaskProgress): readonly Draft[] {
  const { description: status, last_tool_name: lastTool } = line;
  const progress = { ...countsOf(line.usage), lastTool };
  if (state.tasks.get(line.task_id)?.isInBackground) {
    return [{ type: "task.updated", task: line.task_id, status, progress }];
  }
  if (line.tool_use_id === undefined) return [];
  return [{ type: "tool.progress", call: line.tool_use_id, progress: { status, ...progress } }];
}

export function readTaskEnded(state: ClaudeState, line: TaskEnd): Translation {
  const { task_id: id, summary } = line;
  const task = state.tasks.get(id);
  const tasks = withoutEntry(state.tasks, id);
  if (!task?.isInBackground) return [{ ...state, tasks }, []];
  const text = `The background ${task.kind} "${task.title}" has ended.`;
  const call = line.tool_use_id ?? task.call;
  const outcome = outcomeOf(line.status);
  const output = {
    ...(line.output_file && { file: line.output_file }),
    ...countsOf(line.usage),
  };
  return [
    { ...state, tasks, wokenBy: { task: id, text } },
    [
      ...(call === undefined || summary === undefined
        ? []
        : [{ type: "tool.amended" as const, call, ...resultOf(outcome, summary) }]),
      {
        type: "task.ended",
        task: id,
        outcome,
        summary,
        output,
      },
    ],
  ];
}

/** The summary of a task that was stopped says no more than its title. */
function resultOf(outcome: TaskOutcome, summary: string): { output: string } | { error: string } {
  if (outcome === "completed") return { output: summary };
  return { error: outcome === "failed" ? summary : "It was stopped." };
}

function outcomeOf(status: string): TaskOutcome {
  return status === "completed" || status === "failed" ? status : "stopped";
}

function countsOf(usage: WireTaskUsage | undefined) {
  if (!usage) return {};
  const { total_tokens: tokens, tool_uses: toolUses, duration_ms: durationMs } = usage;
  return { tokens, toolUses, durationMs };
}
