/** What tools and background work do → `tool_progress` and `tool_use_summary`. Pure. */
import type { EventOf } from "../../core/event.ts";
import { resultText } from "./assistant-content.ts";
import { type Said, said } from "./said.ts";

type Progress = EventOf<"tool.updated" | "tool.progress" | "tool.output.delta">;
type Result = EventOf<"tool.output" | "tool.failed" | "tool.denied" | "tool.abandoned" | "tool.amended">;
type Task = EventOf<"task.started" | "task.updated" | "task.stopping" | "task.ended">;

/** `name` is that of the call, where it is known. */
export function progressMessage(event: Progress, name: string | undefined): Said {
  const common = { tool_use_id: event.call, tool_name: name, status: "running" };
  switch (event.type) {
    case "tool.updated": {
      const { title, kind, locations } = event;
      const tool_name = event.name ?? name;
      return said("tool_progress", {
        kind: "details",
        ...common,
        tool_name,
        title,
        tool_kind: kind,
        locations,
      });
    }
    case "tool.progress":
      return said("tool_progress", { kind: "progress", ...common, progress: event.progress });
    case "tool.output.delta":
      return said("tool_progress", { kind: "output", ...common }, [{ type: "text", text: event.delta }]);
  }
}

const RESULT_STATUS = {
  "tool.output": "completed",
  "tool.failed": "failed",
  "tool.denied": "denied",
  "tool.abandoned": "abandoned",
} as const;

export function resultMessage(event: Result, name: string | undefined): Said {
  const common = { tool_use_id: event.call, tool_name: name };
  if (event.type === "tool.output" && event.preliminary)
    return said("tool_progress", { kind: "preview", ...common, status: "running", output: event.output });
  const { content, isError } = resultText(event);
  const told = "output" in event || "exitCode" in event || "metadata" in event ? event : undefined;
  const status = event.type === "tool.amended" ? amendedStatus(event) : RESULT_STATUS[event.type];
  const metadata = {
    kind: "result",
    ...common,
    status,
    is_error: isError,
    // A text is in the block already.
    ...(told?.output !== undefined && typeof told.output !== "string" && { output: told.output }),
    // What a failed call had put out, beside why it failed.
    ...(isError && typeof told?.output === "string" && { output: told.output }),
    exit_code: told?.exitCode,
    tool_metadata: told?.metadata,
    ...(event.type === "tool.amended" && { amended: true }),
    ...(event.type === "tool.output" && { running: event.running, truncated_from: event.truncatedFrom }),
  };
  const block = { type: "tool_result", tool_use_id: event.call, content } as const;
  return said("tool_use_summary", metadata, [{ ...block, ...(isError && { is_error: true }) }]);
}

function amendedStatus({ error }: EventOf<"tool.amended">): string {
  return error === undefined ? "completed" : "failed";
}

export function summaryMessage({ calls, text }: EventOf<"tool.summary">): Said {
  const metadata = { kind: "summary", summary: text, preceding_tool_use_ids: calls };
  return said("tool_use_summary", metadata, [{ type: "text", text }]);
}

export function editMessage(event: EventOf<"file.edited">): Said {
  const { path, kind, diff, from, call } = event;
  return said("tool_progress", { kind: "file_edit", tool_use_id: call, path, change: kind, diff, from });
}

export function taskMessage(event: Task): Said {
  const common = { kind: "task", task_id: event.task };
  switch (event.type) {
    case "task.started": {
      const { title, kind, call } = event;
      return said("tool_progress", {
        ...common,
        status: "running",
        title,
        task_kind: kind,
        tool_use_id: call,
      });
    }
    case "task.updated": {
      const { title, progress, delta } = event;
      const metadata = { ...common, status: event.status ?? "running", title, progress };
      return said("tool_progress", metadata, delta === undefined ? [] : [{ type: "text", text: delta }]);
    }
    case "task.stopping":
      return said("tool_progress", { ...common, status: "stopping", by: event.by });
    case "task.ended": {
      const { outcome, summary, output } = event;
      const content = summary === undefined ? [] : [{ type: "text" as const, text: summary }];
      const is_error = outcome !== "completed";
      return said("tool_use_summary", { ...common, status: outcome, is_error, summary, output }, content);
    }
  }
}
