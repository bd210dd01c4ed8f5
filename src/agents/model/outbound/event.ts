/** The program's own events → drafts, one by one. */
import type { Draft } from "../../../core/draft.ts";
import { fromWireConfiguration, outcomeOf, toOption } from "../vocabulary.ts";
import type { WireChange, WireEvent, WireEventName, WireEventOf } from "../wire.ts";
import { partId } from "./part.ts";

type OwnEvent = Exclude<WireEvent, { event: "part" }>;

/** The fields without which an event means nothing, and their types. */
const NEEDED: Readonly<Record<WireEventName, readonly string[]>> = {
  turn_started: ["turn"],
  turn_finished: ["turn", "reason"],
  steering_taken: ["prompt"],
  steering_returned: ["prompt", "reason"],
  step_started: [],
  step_finished: [],
  part: [],
  discarded: ["reason"],
  call_described: ["call", "tool", "title"],
  call_output_delta: ["call", "text"],
  call_output: ["call"],
  call_failed: ["call", "error"],
  call_denied: ["call"],
  ask: ["ask", "kind", "title"],
  ask_withdrawn: ["ask"],
  file_changed: ["path", "change"],
  plan: [],
  title: ["title"],
  compacting: [],
  compacted: ["summary"],
  compaction_failed: ["reason"],
  compaction_skipped: ["reason"],
  retry: ["code", "reason"],
  remark: ["code", "text"],
  configuration: [],
};

/** Whether a message is an event we know, with what it needs. */
export function isWireEvent(message: object): message is WireEvent {
  const fields = message as Readonly<Record<string, unknown>>;
  const { event } = fields;
  if (typeof event !== "string" || !Object.hasOwn(NEEDED, event)) return false;
  return NEEDED[event as WireEventName].every((field) => typeof fields[field] === "string");
}

export function translateEvent(event: OwnEvent): readonly Draft[] {
  switch (event.event) {
    // The engine opened the turn when it sent the prompt.
    case "turn_started":
      return [];
    case "turn_finished":
      return [{ type: "turn.ended", outcome: outcomeOf(event.reason), error: event.error }];
    case "steering_taken":
      return [{ type: "prompt.taken", message: event.prompt }];
    case "steering_returned":
      return [{ type: "prompt.returned", message: event.prompt, reason: event.reason }];
    case "step_started":
      return [{ type: "step.started" }];
    case "step_finished":
      return [{ type: "step.ended" }];
    case "discarded":
      return [
        {
          type: "content.discarded",
          parts: idsOf(event.parts).map((id) => partId(event.request, id)),
          calls: idsOf(event.calls),
          reason: event.reason,
        },
      ];
    case "call_described":
      return [{ type: "tool.start", call: event.call, name: event.tool, title: event.title }];
    case "call_output_delta":
      return [{ type: "tool.output.delta", call: event.call, delta: event.text }];
    case "call_output":
      return [{ type: "tool.output", call: event.call, output: event.output, ...exitCodeOf(event) }];
    case "call_failed":
      return [
        {
          type: "tool.failed",
          call: event.call,
          error: event.error,
          ...(event.output !== undefined && { output: event.output }),
          ...exitCodeOf(event),
        },
      ];
    case "call_denied":
      return [{ type: "tool.denied", call: event.call, reason: event.note }];
    case "ask":
      return [openedAsk(event)];
    case "ask_withdrawn":
      return [{ type: "ask.closed", ask: event.ask, outcome: "cancelled", delivered: false }];
    case "file_changed":
      return [{ type: "file.edited", ...toChange(event), call: event.call }];
    case "plan":
      return [
        {
          type: "plan.updated",
          entries: listOf(event.items).map(({ text, status }) => ({ text, status })),
        },
      ];
    case "title":
      return [{ type: "session.updated", title: event.title }];
    case "compacting":
      return [{ type: "compaction.started", trigger: event.trigger }];
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
    case "retry": {
      const { attempt, of, waitMs, code, reason } = event;
      const data = { attempt, of, waitMs };
      return [{ type: "notice", level: "warning", code, text: reason, data }];
    }
    case "remark":
      return [{ type: "notice", level: event.level ?? "info", code: event.code, text: event.text }];
    case "configuration":
      return [{ type: "session.updated", ...fromWireConfiguration(event.configuration ?? {}) }];
  }
}

/** Without what cannot be an entry. */
function listOf<Item extends object>(list: readonly Item[] | undefined): Item[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === "object" && item !== null) : [];
}

function idsOf(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((id) => typeof id === "string") : [];
}

function exitCodeOf({ exitCode }: { exitCode?: number }) {
  return exitCode === undefined ? {} : { exitCode };
}

function toChange({ path, change, diff }: WireChange) {
  return { path, kind: change, diff };
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
    questions,
    changes: changes && listOf(changes).map(toChange),
    editable: editable === true || undefined,
  };
}
