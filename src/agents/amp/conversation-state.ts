/** What both halves of Amp's protocol remember: the thread, and how far the turn and its process have come. */
import type { WireChoice } from "./wire.ts";

export interface AmpState {
  readonly thread?: string;
  /** The program's path, where it is not on the PATH. */
  readonly program?: string;
  /** What was chosen since the session was opened. */
  readonly choice: WireChoice;
  /** Flags this program did not know, although they were worth a try. */
  readonly unknownFlags: readonly string[];
  readonly turn: Turn;
}

export interface Turn {
  /** From the start of the process for a prompt to the end of the answer. */
  readonly isRunning: boolean;
  /** Amp has introduced itself: it is signed in and has understood its flags. */
  readonly hasBegun: boolean;
  /** It waits for somebody to sign in, which nobody will. */
  readonly isStuck: boolean;
  /** It left because of a flag, and is started again without it. */
  readonly isRetrying: boolean;
  /** How many parts it has given: they have no ids. */
  readonly parts: number;
  /** Calls without a result, by id. */
  readonly calls: ReadonlyMap<string, Call>;
}

export interface Call {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly parent?: string;
}

export const NO_TURN: Turn = {
  isRunning: false,
  hasBegun: false,
  isStuck: false,
  isRetrying: false,
  parts: 0,
  calls: new Map(),
};

export const INITIAL_STATE: AmpState = { choice: {}, unknownFlags: [], turn: NO_TURN };

export function startTurn(state: AmpState): AmpState {
  return { ...state, turn: { ...NO_TURN, isRunning: true, parts: state.turn.parts } };
}

export function withTurn(state: AmpState, change: Partial<Turn>): AmpState {
  return { ...state, turn: { ...state.turn, ...change } };
}
