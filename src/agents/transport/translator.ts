/** The two pure halves of an agent's protocol, as the transport sees them. */
import type { Command } from "../../core/command.ts";
import type { Draft } from "../../core/draft.ts";
import type { ErrorCode } from "../../core/error.ts";
import type { RawRecord } from "../../core/raw-record.ts";
import type { RpcId } from "./json-rpc.ts";

/** The part of a raw record a translator may use. Numbers and times are assigned later. */
export type RecordInput = Pick<RawRecord, "direction" | "data">;

/**
 * Reads an agent. Pure: the same records give the same drafts, live or years later in a replay. It gets every
 * record in order, including those we sent, so its state knows which request an answer belongs to.
 */
export interface Translator<State> {
  readonly initial: State;
  /** Returns the same state object if nothing changed. An unknown message becomes `agent.unknown`. */
  translate(state: State, record: RecordInput): Translation<State>;
}

/** The third part names what was not used: `result.ttft_ms`, `system/hook_started`. Absent: everything was used. */
export type Translation<State> = readonly [State, readonly Draft[], (readonly string[])?];

/**
 * Reads back the commands a record to the agent carried: the inverse of an encoder. Live the engine knows them; a
 * recording has only the lines. The state is the translator's before the record. Pure.
 *
 * A prompt whose line names no id has the empty `message`. Where the line does not tell whether it steers, `steer` is
 * left out: then it does when a turn runs and the agent can.
 */
export type DecodeCommands<State> = (state: State, record: RecordInput) => readonly Command[];

/** Writes to an agent. Pure: lines follow from the translator's state, which has seen all that was sent before. */
export interface Encoder<State> {
  /** Asked again after each record until it says `ready` or `failed`. */
  open(state: State): OpeningStep;
  /** Throws `unsupported` for a command the agent does not know. */
  encode(state: State, command: Command): readonly string[];
  /** Whether the agent would not take the command yet. Asked again after each record until it does. */
  holds?(state: State, command: Command): boolean;
  /**
   * The ids of requests for a change of settings that are still unanswered. Absent: the agent takes each at once. The
   * translator reports a refusal as a notice with the code `configure`, with the record that answers the request.
   */
  unansweredChanges?(state: State): readonly RpcId[];
  /**
   * Lines that are due without a command, such as refusals of requests nobody here can answer. Called after each line
   * of the agent; once the lines are sent the state knows, and nothing is due. Must not throw.
   */
  answer?(state: State): readonly string[];
  /** Graceful shutdown. Asked again after each record until it is done, for a short time only. */
  shutDown?(state: State): ShutdownStep;
}

export type OpeningStep =
  | { readonly step: "send"; readonly lines: readonly string[] }
  | { readonly step: "wait" }
  | { readonly step: "ready" }
  /** Ready after this much silence: the agent may still be replaying the history. */
  | { readonly step: "settle"; readonly quietMs: number }
  /** With the code `agent_failed` unless it names another. `keepsConversation`: see `ErrorExtras`. */
  | {
      readonly step: "failed";
      readonly reason: string;
      readonly code?: ErrorCode;
      readonly keepsConversation?: boolean;
    };

export type ShutdownStep =
  | { readonly step: "send"; readonly lines: readonly string[] }
  | { readonly step: "wait" }
  | { readonly step: "done" };
