/** Amp's lines → drafts. Whole messages become start, delta and end. Pure. */
import type { Draft } from "../../core/draft.ts";
import type { ProcessRecord } from "../../core/raw-record.ts";
import { parseLine, unreadable } from "../transport/line-text.ts";
import type { RecordInput, Translation, Translator } from "../transport/translator.ts";
import { type AmpState, INITIAL_STATE, startTurn, withTurn } from "./conversation-state.ts";
import { translateAssistant } from "./outbound/assistant-line.ts";
import { translateResults } from "./outbound/tool-results.ts";
import { isLoginPrompt, notSignedIn, turnError, unknownFlag } from "./vocabulary.ts";
import type { WireChoice, WireLine, WireLineOf, WireOpening } from "./wire.ts";

export const outbound: Translator<AmpState> = { initial: INITIAL_STATE, translate };

function translate(state: AmpState, { direction, data }: RecordInput): Translation<AmpState> {
  if (typeof data !== "string") return translateProcess(state, data);
  const line = parseLine(data);
  if (line.kind === "blank") return [state, []];
  if (line.kind === "unreadable") return isLoginPrompt(data) ? stuck(state) : [state, [line.draft]];
  const { message } = line;
  if (direction === "out") return noteSent(state, message);
  if (message.kind === "opening") return open(state, message.msg as WireOpening);
  if (!isWireLine(message)) return [state, [unreadable(String(message.type ?? "not-a-message"), data)]];
  const [named, name] = afterName(state, message);
  const [next, drafts] = translateWire(named, message, data);
  return [next, [...name, ...drafts]];
}

function translateWire(state: AmpState, message: WireLine, data: string): Translation<AmpState> {
  switch (message.type) {
    case "system":
      return begin(state, message, data);
    case "assistant":
      return translateAssistant(begun(state), message);
    case "user":
      return translateResults(state, message);
    case "result":
      return finish(state, message);
  }
}

/** Every line names the thread. A program that stores the lines may not have the one that begins it. */
function afterName(state: AmpState, message: WireLine): Translation<AmpState> {
  const { type, session_id: thread } = message;
  const isNews =
    state.thread === undefined && type !== "system" && typeof thread === "string" && thread !== "";
  if (!isNews || (type === "result" && message.is_error)) return [state, []];
  return [{ ...state, thread }, [{ type: "session.updated", agentSessionId: thread }]];
}

function open(state: AmpState, { version, modes, thread, program }: WireOpening): Translation<AmpState> {
  const attached: Draft = {
    type: "session.attached",
    agentVersion: version,
    ...(thread !== undefined && { agentSessionId: thread, resumed: true }),
    modes: modes.map((mode) => ({ id: mode })),
  };
  return [
    { ...state, ...(thread !== undefined && { thread }), ...(program !== undefined && { program }) },
    [attached],
  ];
}

/** The fields without which a line means nothing. */
function isWireLine(message: object): message is WireLine {
  const { type, message: content } = message as { type?: unknown; message?: { content?: unknown } };
  if (type === "system" || type === "result") return true;
  return (type === "assistant" || type === "user") && Array.isArray(content?.content);
}

function noteSent(state: AmpState, message: object): Translation<AmpState> {
  const { kind, msg } = message as { kind?: unknown; msg?: WireChoice };
  if (kind === "choice") {
    return [{ ...state, choice: { ...state.choice, ...msg } }, [{ type: "session.updated", ...msg }]];
  }
  // In a process that takes several prompts.
  return [state.turn.isRunning ? state : startTurn(state), []];
}

/** An answer that nobody waits for any more is the beginning of the next one. */
function begun(state: AmpState): AmpState {
  return state.turn.isRunning ? state : startTurn(state);
}

function begin(state: AmpState, line: WireLineOf<"system">, data: string): Translation<AmpState> {
  if (line.subtype !== "init") return [state, [unreadable(`system/${line.subtype}`, data)]];
  const next = withTurn({ ...state, thread: line.session_id }, { hasBegun: true });
  const tools = line.tools?.slice();
  return [next, [{ type: "session.attached", agentSessionId: line.session_id, tools }]];
}

/** Amp always exits with code 0; what happened is in this line. */
function finish(state: AmpState, { is_error, error, subtype }: WireLineOf<"result">): Translation<AmpState> {
  if (!state.turn.isRunning) return [state, []];
  const ended = withTurn(state, { isRunning: false });
  if (!is_error) return [ended, [{ type: "turn.ended", outcome: "completed" }]];
  if (subtype === "error_max_turns") return [ended, [{ type: "turn.ended", outcome: "limit" }]];
  return [ended, [failed(state, error ?? subtype)]];
}

function failed({ program }: AmpState, said: string): Draft {
  const error = turnError(said, program);
  return error
    ? { type: "turn.ended", outcome: "failed", error }
    : { type: "turn.ended", outcome: "interrupted" };
}

function translateProcess(state: AmpState, data: ProcessRecord): Translation<AmpState> {
  switch (data.event) {
    case "spawn":
      return [state.turn.isRetrying ? withTurn(state, { isRetrying: false }) : startTurn(state), []];
    case "stderr":
      return isLoginPrompt(String(data.text)) ? stuck(state) : [state, []];
    case "timeout":
      return stop(
        state,
        "timeout",
        "Amp did not begin in time. Run `amp` in a terminal to see what it waits for, or raise limits.connectTimeoutMs in the config file.",
      );
    case "exit":
      return leave(state, data);
    default:
      return [state, []];
  }
}

/** Amp waits for a sign-in on a page that nobody sees. */
function stuck(state: AmpState): Translation<AmpState> {
  const text = notSignedIn(state.program);
  const [stopped, drafts] = stop(state, "agent_not_signed_in", text);
  return [stopped, [{ type: "auth.status", state: "required", text }, ...drafts]];
}

function stop(state: AmpState, code: string, message: string): Translation<AmpState> {
  if (!state.turn.isRunning || state.turn.isStuck) return [state, []];
  const error = { code, message };
  return [
    withTurn(state, { isRunning: false, isStuck: true }),
    [{ type: "turn.ended", outcome: "failed", error }],
  ];
}

/** If it fails at its start, the reason is only on stderr. */
function leave(state: AmpState, { code, signal, stderr }: ProcessRecord): Translation<AmpState> {
  if (!state.turn.isRunning) return [state, []];
  const lastWords = typeof stderr === "string" ? stderr.trim() : "";
  const flag = state.turn.hasBegun ? undefined : unknownFlag(lastWords);
  if (flag !== undefined && !state.unknownFlags.includes(flag)) {
    const retrying = withTurn(state, { isRetrying: true });
    return [{ ...retrying, unknownFlags: [...state.unknownFlags, flag] }, []];
  }
  const ended = withTurn(state, { isRunning: false });
  // It was stopped before it could say so.
  if (signal === "SIGINT" || signal === "SIGTERM")
    return [ended, [{ type: "turn.ended", outcome: "interrupted" }]];
  if (lastWords !== "") return [ended, [failed(state, lastWords)]];
  const how = signal ? `was ended by ${signal}` : `exited with code ${code}`;
  const error = { code: "agent_exited", message: `Amp ${how} before its turn ended.` };
  return [ended, [{ type: "turn.ended", outcome: "failed", error }]];
}
