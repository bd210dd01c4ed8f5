/** OpenCode's answers and events → drafts. Pure. */
import { isRecord } from "../../core/is-record.ts";
import type { ProcessRecord } from "../../core/raw-record.ts";
import { parseLine, unreadable } from "../transport/line-text.ts";
import type { RecordInput, Translation, Translator } from "../transport/translator.ts";
import { afterRestart, endTurn, INITIAL_STATE, type OpenCodeState } from "./conversation-state.ts";
import { translateEvent } from "./outbound/event.ts";
import { noteChoice, noteRequest } from "./outbound/request.ts";
import { translateResponse } from "./outbound/response.ts";
import { isRunLine, translateRunLine } from "./outbound/run-line.ts";
import type { WireChoice, WireEvent, WireFrame, WireRequest, WireResponse } from "./wire.ts";

/** Reasons why a stream closed that will be opened again. */
const PASSING_ENDS = ["AbortError", "eof", "lost"];

export const outbound: Translator<OpenCodeState> = { initial: INITIAL_STATE, translate };

function translate(state: OpenCodeState, { direction, data }: RecordInput): Translation<OpenCodeState> {
  if (typeof data !== "string") return translateProcess(state, data);
  const line = parseLine(data);
  if (line.kind === "blank") return [state, []];
  if (line.kind === "unreadable") return [state, [line.draft]];
  const { kind, msg, stream } = line.message;
  if (kind === "http" && isRecord(msg)) {
    if (direction === "out") return noteRequest(state, msg as unknown as WireRequest);
    return translateResponse(state, msg as unknown as WireResponse);
  }
  if (kind === "choice" && isRecord(msg)) return noteChoice(state, msg as WireChoice);
  if (kind === "sse" && isRecord(msg))
    return translateFrame(state, msg as unknown as WireFrame, stream, data);
  // A comment that keeps the connection open.
  if (kind === "sse" && msg === "") return [state, []];
  if (isRunLine(line.message)) return translateRunLine(state, line.message);
  return [state, [unreadable(nameOf(line.message), data)]];
}

/** What happens to a server is told by the engine. `opencode run` ends its turn by leaving. */
function translateProcess(state: OpenCodeState, { event, code }: ProcessRecord): Translation<OpenCodeState> {
  if (event !== "exit" || code !== 0 || !state.turn.isRunOnce) return [state, []];
  return [endTurn(state), [{ type: "turn.ended", outcome: "completed" }]];
}

function translateFrame(
  state: OpenCodeState,
  frame: WireFrame,
  stream: unknown,
  data: string,
): Translation<OpenCodeState> {
  const name = typeof stream === "string" ? stream : "event";
  if ("closed" in frame) return [afterClose(state, frame.closed, name), []];
  const event = "payload" in frame ? frame.payload : frame;
  if (!isEvent(event)) return [state, [unreadable("not-an-event", data)]];
  // A copy of the event, for clients that keep copies of the server's database.
  if (event.type === "sync") return [state, []];
  const { sessionID } = event.properties;
  if (sessionID === undefined) return translateEvent(state, event);
  if (state.stream !== undefined && state.stream !== name) return [state, []];
  const heard = state.stream === undefined ? { ...state, stream: name } : state;
  return translateEvent(heard, event);
}

function afterClose(state: OpenCodeState, reason: string, stream: string): OpenCodeState {
  if (!PASSING_ENDS.includes(reason)) return afterRestart(state);
  if (state.stream !== stream) return state;
  return { ...state, stream: undefined };
}

/** Whether the end of a stream tells that the server is gone, for recordings that have no record of its process. */
export function isServerGone({ data }: RecordInput): boolean {
  if (typeof data !== "string" || !data.includes('"closed":')) return false;
  const line = parseLine(data);
  if (line.kind !== "message" || line.message.kind !== "sse" || !isRecord(line.message.msg)) return false;
  const { closed } = line.message.msg;
  return typeof closed === "string" && !PASSING_ENDS.includes(closed);
}

function isEvent(value: unknown): value is WireEvent {
  return isRecord(value) && typeof value.type === "string" && isRecord(value.properties ?? value.syncEvent);
}

function nameOf({ type, method, kind }: Readonly<Record<string, unknown>>): string {
  const name = [type, method, kind].find((candidate) => typeof candidate === "string");
  return typeof name === "string" ? name : "not-a-message";
}
