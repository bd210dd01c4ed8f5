/** The mock's events → drafts, one by one; those that depend on what was sent before are in outbound.ts. */
import type { AskQuestion } from "../../../core/ask.ts";
import type { Draft } from "../../../core/draft.ts";
import { fromWireConfiguration, toOption } from "../vocabulary.ts";
import type { WireChange, WireEvent, WireEventName, WireEventOf, WireQuestion } from "../wire.ts";

type StatelessEvent = Exclude<WireEvent, { event: "turn_started" | "turn_finished" }>;

/** The fields without which an event means nothing; every one of them is a string. */
const NEEDED: Readonly<Record<WireEventName, readonly string[]>> = {
  turn_started: ["turn"],
  turn_finished: ["turn", "reason"],
  steering_taken: ["prompt"],
  steering_returned: ["prompt", "reason"],
  step_started: [],
  step_finished: [],
  block_started: ["block"],
  block_delta: ["block", "text"],
  block_finished: ["block"],
  retracted: ["reason"],
  call_started: ["call", "tool"],
  call_input_delta: ["call", "text"],
  call_input: ["call"],
  call_progress: ["call"],
  call_output_delta: ["call", "text"],
  call_output: ["call"],
  call_failed: ["call", "error"],
  call_denied: ["call"],
  call_corrected: ["call"],
  ask: ["ask", "kind", "title"],
  ask_withdrawn: ["ask"],
  file_changed: ["path", "change"],
  todo: [],
  citation: ["citation"],
  attachment: ["url", "mediaType"],
  spent: [],
  remark: ["code", "text"],
  configuration: [],
  compacting: [],
  compacted: [],
  task_started: ["task", "title"],
  task_progress: ["task"],
  task_finished: ["task", "result"],
};

const PLAN_STATUS = { open: "pending", doing: "active", done: "done" } as const;

/** Whether a message is an event we know, with what it needs. */
export function isWireEvent(message: object): message is WireEvent {
  const fields = message as Readonly<Record<string, unknown>>;
  const { event } = fields;
  if (typeof event !== "string" || !Object.hasOwn(NEEDED, event)) return false;
  return NEEDED[event as WireEventName].every((field) => typeof fields[field] === "string");
}

export function translateEvent(event: StatelessEvent): readonly Draft[] {
  switch (event.event) {
    case "block_delta":
      return [{ type: `${contentType(event)}.delta`, part: event.block, delta: event.text }];
    case "block_started":
      return [{ type: `${contentType(event)}.start`, part: event.block, ...originOf(event) }];
    case "block_finished":
      return [{ type: `${contentType(event)}.end`, part: event.block }];
    case "steering_taken":
      return [{ type: "prompt.taken", message: event.prompt }];
    case "steering_returned":
      return [{ type: "prompt.returned", message: event.prompt, reason: event.reason }];
    case "step_started":
      return [{ type: "step.started" }];
    case "step_finished":
      return [{ type: "step.ended" }];
    case "retracted":
      return [
        {
          type: "content.discarded",
          parts: idsOf(event.blocks),
          calls: idsOf(event.calls),
          reason: event.reason,
        },
      ];
    case "call_started":
      return [
        {
          type: "tool.start",
          call: event.call,
          name: event.tool,
          title: event.title,
          kind: event.kind,
          ...originOf(event),
        },
      ];
    case "call_input_delta":
      return [{ type: "tool.input.delta", call: event.call, delta: event.text }];
    case "call_input":
      return [{ type: "tool.input", call: event.call, input: event.input }];
    case "call_progress":
      return [{ type: "tool.progress", call: event.call, progress: event.progress }];
    case "call_output_delta":
      return [{ type: "tool.output.delta", call: event.call, delta: event.text }];
    case "call_output":
      return [
        {
          type: "tool.output",
          call: event.call,
          output: event.output,
          ...exitCodeOf(event),
          ...(event.partial && { preliminary: true }),
          ...(event.continues && { running: true }),
        },
      ];
    case "call_failed":
      return [{ type: "tool.failed", call: event.call, error: event.error }];
    case "call_denied":
      return [{ type: "tool.denied", call: event.call, reason: event.note }];
    case "call_corrected":
      return [{ type: "tool.amended", call: event.call, output: event.output, ...exitCodeOf(event) }];
    case "ask":
      return [openedAsk(event)];
    case "ask_withdrawn":
      return [{ type: "ask.closed", ask: event.ask, outcome: "cancelled", delivered: false }];
    case "file_changed":
      return [{ type: "file.edited", ...toChange(event), call: event.call }];
    case "todo":
      return [
        {
          type: "plan.updated",
          entries: event.items.map(({ text, state }) => ({ text, status: PLAN_STATUS[state] })),
        },
      ];
    case "citation":
      return [{ type: "source", id: event.citation, url: event.url, title: event.title }];
    case "attachment":
      return [{ type: "file", url: event.url, mediaType: event.mediaType, filename: event.filename }];
    case "spent":
      return [usage(event)];
    case "remark":
      return [{ type: "notice", level: event.level, code: event.code, text: event.text }];
    case "configuration":
      return [{ type: "session.updated", ...fromWireConfiguration(event.configuration) }];
    case "compacting":
      return [{ type: "compaction.started", trigger: "manual" }];
    case "compacted": {
      const { summary, tokensBefore, tokensAfter } = event;
      return [{ type: "compaction.ended", summary, tokensBefore, tokensAfter }];
    }
    case "task_started":
      return [{ type: "task.started", task: event.task, title: event.title, call: event.call }];
    case "task_progress":
      return [{ type: "task.updated", task: event.task, status: event.status, progress: event.progress }];
    case "task_finished":
      return [
        {
          type: "task.ended",
          task: event.task,
          outcome: event.result === "done" ? "completed" : event.result === "stopped" ? "stopped" : "failed",
          summary: event.summary,
        },
      ];
  }
}

function contentType({ kind }: { kind: "text" | "thinking" }): "text" | "reasoning" {
  return kind === "thinking" ? "reasoning" : "text";
}

function idsOf(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((id) => typeof id === "string") : [];
}

function originOf({ under, task }: { under?: string; task?: string }) {
  return { parent: under, task };
}

function exitCodeOf({ exitCode }: { exitCode?: number }) {
  return exitCode === undefined ? {} : { exitCode };
}

function toChange({ path, change, diff }: WireChange) {
  return { path, kind: change, diff };
}

function toQuestion({ id, name, text, options, free }: WireQuestion): AskQuestion {
  return { id, header: name, text, options, free };
}

function openedAsk(event: WireEventOf<"ask">): Draft {
  const { ask, kind, call, title, details, options, questions, changes, editable } = event;
  return {
    type: "ask.opened",
    ask,
    kind,
    title,
    options: options.map(toOption),
    call,
    description: details,
    questions: questions?.map(toQuestion),
    changes: changes?.map(toChange),
    editable,
  };
}

function usage({ tokens, dollars, model, window }: WireEventOf<"spent">): Draft {
  return {
    type: "usage",
    // The mock counts what it had cached apart; our input is all of it.
    input: tokens.input + (tokens.cached ?? 0),
    output: tokens.output,
    reasoning: tokens.thinking,
    cacheRead: tokens.cached,
    cost: dollars,
    model,
    context: { used: tokens.input + tokens.output + (tokens.cached ?? 0), size: window },
  };
}
