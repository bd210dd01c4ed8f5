/** Parts of messages → drafts. A part is told of when it begins, by deltas, and again when it has ended. */
import type { Draft } from "../../../core/draft.ts";
import { withEntry, withoutEntry } from "../../transport/map-entry.ts";
import type { Translation } from "../../transport/translator.ts";
import { type OpenCodeState, type TextPart, withTurn } from "../conversation-state.ts";
import type { WireDelta, WireFilePart, WirePart, WireStepFinishPart, WireTextPart } from "../wire.ts";
import type { Origin } from "./event.ts";
import { markOf } from "./request.ts";
import { translateToolPart } from "./tool.ts";

/** Snapshots of files, kept by the server for going back. */
const SILENT = ["patch", "snapshot", "agent", "subtask", "retry"];

/** The parts of a user message are what we sent. */
export function translatePart(
  state: OpenCodeState,
  part: WirePart,
  origin: Origin,
): Translation<OpenCodeState> {
  if (part.type === "compaction") return [state, compactionStarted(part.auto, origin)];
  if (state.users.has(part.messageID)) return noteUserPart(state, part);
  const message = state.turn.messages.get(part.messageID);
  // Of a message nobody was told of, or of an earlier turn: what it said is in the log, or never will be.
  if (!message || state.turn.donePartIds.has(part.id)) return [state, []];
  if (message.isSummary && part.type !== "step-finish") return noteSummary(state, part);
  switch (part.type) {
    case "text":
    case "reasoning":
      return translateText(state, part, origin);
    case "tool":
      return translateToolPart(state, part, origin);
    case "step-start":
      return startStep(withDone(state, [part.id]), part.messageID, origin);
    case "step-finish":
      return finishStep(withDone(state, [part.id]), part, message.isSummary, origin);
    case "file":
      return [withDone(state, [part.id]), [givenFile(part, origin)]];
    default:
      return unknownPart(state, part);
  }
}

export function translateDelta(
  state: OpenCodeState,
  { partID, field, delta }: WireDelta,
  origin: Origin,
): Translation<OpenCodeState> {
  if (field !== "text") return [state, [], [`message.part.delta/${field}`]];
  const known = state.turn.parts.get(partID);
  if (!known) return [state, []];
  const parts = withEntry(state.turn.parts, partID, { ...known, text: known.text + delta });
  const next = withTurn(state, { parts });
  if (known.isSilent) return [next, []];
  return [next, [{ type: `${known.kind}.delta`, part: partID, delta, ...origin }]];
}

function compactionStarted(isAutomatic: boolean, { parent }: Origin): readonly Draft[] {
  if (parent !== undefined) return [];
  return [{ type: "compaction.started", trigger: isAutomatic ? "auto" : "manual" }];
}

/** A prompt of ours is known by the mark in its metadata. */
function noteUserPart(state: OpenCodeState, part: WirePart): Translation<OpenCodeState> {
  const native = part.messageID;
  const message = markOf([part]);
  if (message === undefined || state.users.get(native) !== undefined) return [state, []];
  const users = withEntry(state.users, native, message);
  const prompts = state.prompts.filter((prompt) => prompt.message !== message);
  if (prompts.length === state.prompts.length) return [{ ...state, users }, []];
  return [{ ...state, users, prompts }, [{ type: "prompt.received", message, native }]];
}

/** The summary of a compaction is not said to anybody. */
function noteSummary(state: OpenCodeState, part: WirePart): Translation<OpenCodeState> {
  if (part.type !== "text") return [state, []];
  if (part.time?.end !== undefined) return [withTurn(state, { summary: part.text }), []];
  return [withPart(state, part.id, { ...newPart(part), isSilent: true }), []];
}

function translateText(state: OpenCodeState, part: WireTextPart, origin: Origin): Translation<OpenCodeState> {
  const known = state.turn.parts.get(part.id);
  const open = known ?? newPart(part);
  const drafts: Draft[] = known ? [] : [{ type: `${part.type}.start`, part: part.id, ...origin }];
  if (part.time?.end === undefined) return [withPart(state, part.id, open), drafts];
  drafts.push(...rest(part, open, origin), { type: `${part.type}.end`, part: part.id, ...origin });
  return [withDone(state, [part.id]), drafts];
}

/** The end has the whole text. Where deltas were missed in the middle, what was said is said again as a whole. */
function rest({ id, type, text }: WireTextPart, known: TextPart, origin: Origin): readonly Draft[] {
  const whole = (delta: string): Draft => ({ type: `${type}.delta`, part: id, delta, ...origin });
  if (text.startsWith(known.text)) return [whole(text.slice(known.text.length))];
  return [
    { type: "content.discarded", parts: [id], calls: [], reason: "gap", ...origin },
    { type: `${type}.start`, part: id, ...origin },
    whole(text),
  ];
}

function newPart({ type, messageID }: WireTextPart): TextPart {
  return { kind: type, message: messageID, text: "", isSilent: false };
}

function withPart(state: OpenCodeState, id: string, part: TextPart): OpenCodeState {
  return withTurn(state, { parts: withEntry(state.turn.parts, id, part) });
}

/** Nothing more is said about these. */
function withDone(state: OpenCodeState, ids: readonly string[]): OpenCodeState {
  let { parts, donePartIds } = state.turn;
  for (const id of ids) {
    parts = withoutEntry(parts, id);
    donePartIds = withEntry(donePartIds, id, true);
  }
  return withTurn(state, { parts, donePartIds });
}

/** A second step in one message: the model was asked again, and what it had begun to say is gone. */
function startStep(state: OpenCodeState, messageID: string, origin: Origin): Translation<OpenCodeState> {
  const { messages, parts } = state.turn;
  const message = messages.get(messageID)!;
  const step: readonly Draft[] = origin.parent === undefined ? [{ type: "step.started" }] : [];
  if (!message.hasStep) {
    return [
      withTurn(state, { messages: withEntry(messages, messageID, { ...message, hasStep: true }) }),
      step,
    ];
  }
  const begun = [...parts].filter(([, part]) => part.message === messageID).map(([id]) => id);
  if (begun.length === 0) return [state, step];
  const discarded: Draft = { type: "content.discarded", parts: begun, calls: [], reason: "retry", ...origin };
  return [withDone(state, begun), [discarded, ...step]];
}

/** The server counts what was cached and what was thought apart; ours are totals. */
function finishStep(
  state: OpenCodeState,
  { messageID, tokens, cost, reason }: WireStepFinishPart,
  isSummary: boolean,
  origin: Origin,
): Translation<OpenCodeState> {
  const isOwnStep = origin.parent === undefined && !isSummary;
  const { input, output, reasoning, cache, total } = tokens;
  const usage: Draft = {
    type: "usage",
    input: input + cache.read + cache.write,
    output: output + reasoning,
    reasoning,
    cacheRead: cache.read,
    cacheWrite: cache.write,
    cost,
    ...modelOf(state, messageID),
    ...(isOwnStep && total !== undefined && { context: { used: total } }),
    ...origin,
  };
  if (!isOwnStep) return [state, [usage]];
  return [withTurn(state, { reason }), [usage, { type: "step.ended", reason }]];
}

function modelOf({ turn }: OpenCodeState, messageID: string) {
  const model = turn.messages.get(messageID)?.model;
  return model === undefined ? {} : { model };
}

function givenFile({ url, mime, filename }: WireFilePart, origin: Origin): Draft {
  return { type: "file", url, mediaType: mime, filename, ...origin };
}

function unknownPart(state: OpenCodeState, { type }: { type: string }): Translation<OpenCodeState> {
  if (SILENT.includes(type)) return [state, [], [`message.part.updated/${type}`]];
  return [state, [{ type: "agent.unknown", native: `message.part.updated/${type}` }]];
}
