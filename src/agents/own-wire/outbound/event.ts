/** The events of our own agents → drafts, one by one. Events that need the state are in outbound.ts. */
import type { AskQuestion } from "../../../core/ask.ts";
import type { Draft } from "../../../core/draft.ts";
import { fromWireConfiguration, type OwnVocabulary, toOption } from "../vocabulary.ts";
import type { WireChange, WireEvent, WireEventOf, WireQuestion } from "../wire.ts";
import { partId } from "./part.ts";

type StatelessEvent = Exclude<WireEvent, { event: "turn_started" | "turn_finished" | "part" }>;

const PLAN_STATUS = { open: "pending", doing: "active", done: "done" } as const;

export function translateEvent(event: StatelessEvent, vocabulary: OwnVocabulary): readonly Draft[] {
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
    case "discarded": {
      const parts =
        event.event === "retracted"
          ? idsOf(event.blocks)
          : idsOf(event.parts).map((id) => partId(event.request, id));
      return [{ type: "content.discarded", parts, calls: idsOf(event.calls), reason: event.reason }];
    }
    case "call_started": {
      const { call, tool: name, title, kind } = event;
      return [{ type: "tool.start", call, name, title, kind, ...originOf(event) }];
    }
    case "call_described":
      return [{ type: "tool.start", call: event.call, name: event.tool, title: event.title }];
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
    case "call_failed": {
      const { call, error, output } = event;
      return [
        { type: "tool.failed", call, error, ...(output !== undefined && { output }), ...exitCodeOf(event) },
      ];
    }
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
    case "todo": {
      const entries = listOf(event.items).map(({ text, state }) => ({ text, status: PLAN_STATUS[state] }));
      return [{ type: "plan.updated", entries }];
    }
    case "plan": {
      const entries = listOf(event.items).map(({ text, status }) => ({ text, status }));
      return [{ type: "plan.updated", entries }];
    }
    case "title":
      return [{ type: "session.updated", title: event.title }];
    case "citation":
      return [{ type: "source", id: event.citation, url: event.url, title: event.title }];
    case "attachment":
      return [{ type: "file", url: event.url, mediaType: event.mediaType, filename: event.filename }];
    case "spent":
      return [usage(event)];
    case "remark":
      return [{ type: "notice", level: event.level ?? "info", code: event.code, text: event.text }];
    case "retry": {
      const { attempt, of, waitMs, code, reason } = event;
      const data = { attempt, of, waitMs };
      return [{ type: "notice", level: "warning", code, text: reason, data }];
    }
    case "configuration":
      return [{ type: "session.updated", ...fromWireConfiguration(vocabulary, event.configuration ?? {}) }];
    case "compacting":
      return [{ type: "compaction.started", trigger: event.trigger ?? "manual" }];
    case "compacted": {
      const { summary, tokensBefore, tokensAfter } = event;
      return [{ type: "compaction.ended", summary, tokensBefore, tokensAfter }];
    }
    case "compaction_failed":
      return [{ type: "compaction.ended", error: event.reason }];
    case "compaction_skipped": {
      const { reason: skipped, tokens: tokensBefore } = event;
      return [{ type: "compaction.ended", tokensBefore, skipped }];
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

/** Drops items that are not objects. */
function listOf<Item extends object>(list: readonly Item[] | undefined): Item[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === "object" && item !== null) : [];
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

function toQuestion({ id, name: header, ...question }: WireQuestion): AskQuestion {
  return { id, header, ...question };
}

function openedAsk(event: WireEventOf<"ask">): Draft {
  const { ask, kind, call, title, details, options, questions, changes, editable } = event;
  return {
    type: "ask.opened",
    ask,
    kind,
    title,
    call,
    options: listOf(options).map(toOption),
    description: details,
    questions: questions && listOf(questions).map(toQuestion),
    changes: changes && listOf(changes).map(toChange),
    editable: editable === true || undefined,
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
