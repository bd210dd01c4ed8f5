/** The two pure halves of an agent's protocol, as the transport sees them. */
import type { Command } from "../../core/command.ts";
import type { Draft } from "../../core/draft.ts";
import type { ErrorCode } from "../../core/error.ts";
import type { RawRecord } from "../../core/raw-record.ts";
import type { RpcId } from "./json-rpc.ts";

/** What a translator may know of a raw record; numbers and times are given later and mean nothing to it. */
export type RecordInput = Pick<RawRecord, "direction" | "data">;

/**
 * Reads an agent. Pure: the same records give the same drafts, live or years later in a replay. It is shown every
 * record in order, also those we sent, so its state knows which request an answer belongs to.
 */
export interface Translator<State> {
  readonly initial: State;
  /** Gives the same state object back where nothing changed. What it does not know becomes `agent.unknown`. */
  translate(state: State, record: RecordInput): Translation<State>;
}

/** The third part names what of the record was not used: `result.ttft_ms`, `system/hook_started`. Absent: all was. */
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
  /** Throws `unsupported` for a command the agent has no words for. */
  encode(state: State, command: Command): readonly string[];
  /** Whether the agent would not take the command yet. Asked again after each record until it does. */
  holds?(state: State, command: Command): boolean;
  /**
   * The ids of the requests for a change of settings which the agent has still to answer. Absent: it takes each at once.
   * A refusal is told by the translator as a notice with the code `configure`, with the record that answers the request.
   */
  unansweredChanges?(state: State): readonly RpcId[];
  /**
   * What has to be said without a command, because of what was heard: refusals of requests nobody here can answer,
   * say. Asked after each line of the agent; once the lines were sent the state knows, and nothing is due. Must not throw.
   */
  answer?(state: State): readonly string[];
  /** Graceful shutdown. Asked again after each record until it is done, for a short time only. */
  shutDown?(state: State): ShutdownStep;
}

export type OpeningStep =
  | { readonly step: "send"; readonly lines: readonly string[] }
  | { readonly step: "wait" }
  | { readonly step: "ready" }
  /** Ready once nothing was heard for so long: it may still be telling what is known already. */
  | { readonly step: "settle"; readonly quietMs: number }
  /** With the code `agent_failed` unless it names another. */
  | { readonly step: "failed"; readonly reason: string; readonly code?: ErrorCode };

export type ShutdownStep =
  | { readonly step: "send"; readonly lines: readonly string[] }
  | { readonly step: "wait" }
  | { readonly step: "done" };
