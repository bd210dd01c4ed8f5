/** The events of AgentSmithy's stream, without the `dialog_id` that each of them carries. */

export type SmithyEvent =
  | { type: "user"; content: string; checkpoint?: string }
  | { type: SegmentEdge }
  | { type: SegmentKind; content: string }
  | { type: "summary_start" | "summary_end" }
  | ToolCallEvent
  | FileEditEvent
  | { type: "error"; error: string }
  | { type: "done"; done: true };

/** Text that comes in pieces between `…_start` and `…_end`. */
export type SegmentKind = "chat" | "reasoning";
type SegmentEdge = `${SegmentKind}_${"start" | "end"}`;

export interface ToolCallEvent {
  type: "tool_call";
  /** Only in the history. */
  id?: string;
  name: string;
  args: Readonly<Record<string, unknown>>;
}

export interface FileEditEvent {
  type: "file_edit";
  /** Absolute. */
  file: string;
  diff?: string;
}
