/** Claude Code's lines → drafts. Pure. Each kind of line has a file of its own in outbound/. */
import type { Draft } from "../../core/draft.ts";
import { parseLine, unreadable } from "../transport/line-text.ts";
import type { RecordInput, Translation, Translator } from "../transport/translator.ts";
import { type ClaudeState, INITIAL_STATE } from "./conversation-state.ts";
import { readControlCancel, readControlRequest } from "./outbound/ask.ts";
import { readAssistant } from "./outbound/assistant-lines.ts";
import { readControlResponse } from "./outbound/control-responses.ts";
import { type OtherLine, readOther } from "./outbound/other-lines.ts";
import { readLifecycle } from "./outbound/prompts.ts";
import { readResult } from "./outbound/result-lines.ts";
import { afterSent } from "./outbound/sent-lines.ts";
import { readStreamEvent } from "./outbound/stream-events.ts";
import { readSystem, type SystemLine } from "./outbound/system-lines.ts";
import { readUser } from "./outbound/user-lines.ts";
import { commandLine, resumedConversation } from "./process-record.ts";
import { nativeName, unreadFields } from "./vocabulary.ts";
import type {
  AssistantLine,
  CommandLifecycleLine,
  ControlRequestLine,
  ControlResponseLine,
  ResultLine,
  StreamEventLine,
  UserLine,
} from "./wire.ts";

type Fields = Readonly<Record<string, unknown>>;

export const outbound: Translator<ClaudeState> = { initial: INITIAL_STATE, translate };

function translate(state: ClaudeState, { direction, data }: RecordInput): Translation<ClaudeState> {
  if (typeof data !== "string") return [afterProcessRecord(state, data), []];
  const line = parseLine(data);
  if (line.kind === "blank") return [state, []];
  if (direction === "out") return [line.kind === "message" ? afterSent(state, line.message) : state, []];
  if (line.kind === "unreadable") return [state, [line.draft]];
  const { message } = line;
  const [named, name] = afterName(state, message);
  const read = readSafely(afterEntry(named, message), message, name);
  if (!read) return [declineUnreadable(named, message), [...name, unreadable(nativeName(message), data)]];
  const unread = unreadFields(message);
  return unread === undefined ? read : [...read, unread];
}

/** A new process remembers nothing. What else happens to it is told by the engine. */
function afterProcessRecord(state: ClaudeState, data: Exclude<RecordInput["data"], string>): ClaudeState {
  if (data.event !== "spawn") return state;
  const resumed = resumedConversation(commandLine(data));
  const { pid } = data;
  return {
    ...INITIAL_STATE,
    ...(typeof pid === "number" && { process: pid }),
    ...(resumed !== undefined && { resumed }),
  };
}

/** What a sub-agent says is an entry of another conversation. */
function afterEntry(state: ClaudeState, { type, uuid, parent_tool_use_id: parent }: Fields): ClaudeState {
  const isEntry = (type === "assistant" || type === "user") && typeof uuid === "string" && parent == null;
  return isEntry ? { ...state, lastEntry: uuid } : state;
}

/** The lines of a conversation carry its id, too. A program that stores them may not have the line that begins it. */
const NAMED_LINES: readonly unknown[] = ["assistant", "user", "stream_event", "result"];

/** A failure may name a conversation that does not exist, or another one than was to be resumed. */
function afterName(
  state: ClaudeState,
  { type, session_id: conversation, is_error: isError }: Fields,
): readonly [ClaudeState, readonly Draft[]] {
  const isOpen = state.opening === "new" || state.opening === "ready";
  const isNews = state.conversation === undefined && isOpen && NAMED_LINES.includes(type);
  if (!isNews || isError === true || typeof conversation !== "string" || conversation === "")
    return [state, []];
  return [{ ...state, conversation }, [{ type: "session.updated", agentSessionId: conversation }]];
}

/** A line that is not shaped as its kind says is as good as unknown. */
function readSafely(
  state: ClaudeState,
  message: Fields,
  name: readonly Draft[],
): readonly [ClaudeState, readonly Draft[]] | undefined {
  try {
    const translation = read(state, message);
    return translation && [translation[0], [...name, ...translation[1]]];
  } catch {
    return undefined;
  }
}

/** A request waits for an answer even if it could not be read. */
function declineUnreadable(state: ClaudeState, { type, request_id: id }: Fields): ClaudeState {
  if (type !== "control_request" || typeof id !== "string") return state;
  return { ...state, declined: [...state.declined, { id, subtype: "a request of this shape" }] };
}

/** Undefined for a kind of line we do not know. */
function read(state: ClaudeState, message: Fields): readonly [ClaudeState, readonly Draft[]] | undefined {
  switch (message.type) {
    case "stream_event":
      return readStreamEvent(state, message as unknown as StreamEventLine);
    case "assistant":
      return readAssistant(state, message as unknown as AssistantLine);
    case "user":
      return readUser(state, message as unknown as UserLine);
    case "system":
      return readSystem(state, message as unknown as SystemLine);
    case "result":
      return readResult(state, message as unknown as ResultLine);
    case "command_lifecycle":
      return readLifecycle(state, message as unknown as CommandLifecycleLine);
    case "control_request":
      return readControlRequest(state, message as unknown as ControlRequestLine);
    case "control_cancel_request":
      return readControlCancel(state, String(message.request_id));
    case "control_response":
      return readControlResponse(state, message as unknown as ControlResponseLine);
    default: {
      const drafts = readOther(message as unknown as OtherLine);
      return drafts && [state, drafts];
    }
  }
}
