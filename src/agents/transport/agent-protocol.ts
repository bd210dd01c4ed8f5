/** The pure half of an agent: all that is needed to understand what was said, without a process. */
import type { BackendCapabilities } from "../../core/capability.ts";
import type { Command } from "../../core/command.ts";
import type { RecordInput, Translator } from "./translator.ts";

export interface AgentProtocol<State = unknown> {
  /** As clients give it: `mock`, `claude`, … */
  readonly name: string;
  readonly capabilities: BackendCapabilities;
  readonly translator: Translator<State>;
  /** A `DecodeCommands`; written as a method so that protocols of different states fit into one map. */
  decodeCommands(state: State, record: RecordInput): readonly Command[];
  /** It runs a process for each turn: the exit of one is not the end of the session. */
  readonly processPerTurn?: boolean;
  /** Its translator drafts `ask.closed` when an answer has arrived; otherwise an answer is delivered once it is sent. */
  readonly confirmsAnswers?: boolean;
  /** Why a recording cannot be understood at all: it has an unknown version of the protocol. */
  refuses?(state: State): string | undefined;
  /** Whether a record from the agent says that its process is gone, for recordings without process records. */
  tellsExit?(record: RecordInput): boolean;
}
