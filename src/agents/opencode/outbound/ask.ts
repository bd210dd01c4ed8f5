/** Permissions and questions → drafts. */
import type { AskQuestion } from "../../../core/ask.ts";
import type { Draft } from "../../../core/draft.ts";
import { withEntry } from "../../transport/map-entry.ts";
import type { Translation } from "../../transport/translator.ts";
import { NEW_CALL, type OpenCodeState, withTurn } from "../conversation-state.ts";
import { DISMISS, permissionOptions } from "../vocabulary.ts";
import type { WireEvent, WirePermission, WireQuestion } from "../wire.ts";
import type { Origin } from "./event.ts";

/** It may come before the call has its input: then the call notes it, and the ask is updated with the input. */
export function askPermission(
  state: OpenCodeState,
  asked: WirePermission,
  origin: Origin,
): Translation<OpenCodeState> {
  const opened = openedPermission(asked, origin);
  const callID = asked.tool?.callID;
  const call = callID === undefined ? undefined : (state.turn.calls.get(callID) ?? NEW_CALL);
  if (callID === undefined || !call || call.hasInput) return [state, [opened]];
  const calls = withEntry(state.turn.calls, callID, { ...call, askedEarly: asked.id });
  return [withTurn(state, { calls }), [opened]];
}

/** Tells by itself what is asked for. */
export function openedPermission(asked: WirePermission, origin: Origin): Draft {
  const { id, permission, patterns, always, tool, metadata = {} } = asked;
  const { command, diff, filepath } = metadata;
  return {
    type: "ask.opened",
    ask: id,
    kind: "permission",
    call: tool?.callID,
    title: typeof command === "string" ? command : `${permission} ${patterns.join(", ")}`,
    options: permissionOptions(always),
    ...(typeof diff === "string" && typeof filepath === "string"
      ? { changes: [{ path: filepath, kind: "changed" as const, diff }] }
      : { detail: Object.keys(metadata).length > 0 ? metadata : { permission, patterns: [...patterns] } }),
    ...origin,
  };
}

export function openedQuestion({ id, tool, questions }: WireQuestion, origin: Origin): Draft {
  const [first] = questions;
  return {
    type: "ask.opened",
    ask: id,
    kind: "question",
    call: tool?.callID,
    title: first?.header ?? first?.question ?? "Question",
    options: [DISMISS],
    questions: questions.map(toQuestion),
    ...origin,
  };
}

/** Questions have no ids of their own: they are answered in their order. */
export function questionId(index: number): string {
  return `q${index + 1}`;
}

function toQuestion(
  { question, header, options = [], multiple, custom }: WireQuestion["questions"][number],
  index: number,
): AskQuestion {
  return {
    id: questionId(index),
    ...(header && { header }),
    text: question,
    options: options.map((option) => ({ ...option })),
    ...(multiple && { multiple }),
    free: custom !== false,
  };
}

/** Every client hears of every answer. Only another client's is news; where ours was another one, it came too late. */
export function otherAnswer({ replies }: OpenCodeState, { type, properties }: WireEvent): readonly Draft[] {
  const { requestID, reply, answers } = properties as {
    requestID: string;
    reply?: string;
    answers?: string[][];
  };
  const ours = replies.get(requestID)?.answer;
  const theirs = type === "question.rejected" ? "reject" : (reply ?? JSON.stringify(answers));
  const closed = (delivered: boolean): Draft => ({
    type: "ask.closed",
    ask: requestID,
    outcome: "answered",
    delivered,
  });
  if (ours !== undefined) return [closed(ours === theirs)];
  const answer = answers ? { answers: toAnswers(answers) } : { option: theirs };
  return [{ type: "ask.answered", ask: requestID, ...answer }, closed(true)];
}

export function toAnswers(answers: readonly (readonly string[])[]): Record<string, string[]> {
  return Object.fromEntries(answers.map((labels, index) => [questionId(index), [...labels]]));
}
