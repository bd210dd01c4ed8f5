/** What Codex says and thinks → drafts: messages, plans, reasoning. */
import type { Draft } from "../../../core/draft.ts";
import { withEntry, withoutEntry } from "../../transport/map-entry.ts";
import type { Translation } from "../../transport/translator.ts";
import type { CodexState } from "../conversation-state.ts";
import { purposeOf } from "../vocabulary.ts";
import type { WireItemOf, WireMessageItem } from "../wire.ts";
import type { Origin } from "./origin.ts";

type Step = Translation<CodexState>;

export function startText(state: CodexState, item: WireMessageItem, thread: string, origin: Origin): Step {
  const purpose = purposeOf(item);
  const drafts: Draft[] = [{ type: "text.start", part: item.id, purpose, ...origin }];
  // Some messages come whole: the result of a review, questions that do not wait.
  if (item.text !== "") drafts.push({ type: "text.delta", part: item.id, delta: item.text, ...origin });
  const texts = withEntry(state.texts, item.id, { thread, said: item.text });
  return [withAttempt({ ...state, texts }, item.id, thread), drafts];
}

export function addText(
  state: CodexState,
  part: string,
  delta: string,
  thread: string,
  origin: Origin,
): Step {
  const said = (state.texts.get(part)?.said ?? "") + delta;
  const texts = withEntry(state.texts, part, { thread, said });
  return [{ ...state, texts }, [{ type: "text.delta", part, delta, ...origin }]];
}

/** What was never streamed is told now. */
export function endText(state: CodexState, { id, text }: WireMessageItem, origin: Origin): Step {
  const open = state.texts.get(id);
  if (!open) return [state, []];
  const isMissing = text.length > open.said.length && text.startsWith(open.said);
  return [
    { ...state, texts: withoutEntry(state.texts, id) },
    [
      ...(isMissing
        ? [{ type: "text.delta" as const, part: id, delta: text.slice(open.said.length), ...origin }]
        : []),
      { type: "text.end", part: id, ...origin },
    ],
  ];
}

/** A reasoning item has several parts, one after the other: those of its summary, or its raw content. */
export function startReasoning(
  state: CodexState,
  item: string,
  part: string,
  thread: string,
  origin: Origin,
): Step {
  const former = state.reasoning.get(item);
  if (former === part) return [state, []];
  const reasoning = withEntry(state.reasoning, item, part);
  return [
    withAttempt({ ...state, reasoning }, part, thread),
    [
      ...(former === undefined ? [] : [{ type: "reasoning.end" as const, part: former, ...origin }]),
      { type: "reasoning.start", part, ...origin },
    ],
  ];
}

/** A delta whose part was not announced opens it. */
export function addReasoning(
  state: CodexState,
  { item, part, delta }: { item: string; part: string; delta: string },
  thread: string,
  origin: Origin,
): Step {
  const [begun, drafts] = startReasoning(state, item, part, thread, origin);
  const added: Draft = { type: "reasoning.delta", part, delta, ...origin };
  return [begun, drafts.length === 0 ? [added] : [...drafts, added]];
}

export function endReasoning(
  state: CodexState,
  item: WireItemOf<"reasoning">,
  thread: string,
  origin: Origin,
): Step {
  const part = state.reasoning.get(item.id);
  if (part !== undefined) {
    const reasoning = withoutEntry(state.reasoning, item.id);
    return [{ ...state, reasoning }, [{ type: "reasoning.end", part, ...origin }]];
  }
  const parts = item.summary?.length ? item.summary : (item.content ?? []);
  const drafts = parts.flatMap((text, place): Draft[] => {
    const named = { part: `${item.id}:${place}`, ...origin };
    return [
      { type: "reasoning.start", ...named },
      { type: "reasoning.delta", ...named, delta: text },
      { type: "reasoning.end", ...named },
    ];
  });
  const names = parts.map((_, place) => `${item.id}:${place}`);
  return [names.reduce((next, name) => withAttempt(next, name, thread), state), drafts];
}

/** Parts of the session's own thread belong to the running model response. */
function withAttempt(state: CodexState, part: string, thread: string): CodexState {
  return thread === state.thread ? { ...state, attempt: withEntry(state.attempt, part, true) } : state;
}
