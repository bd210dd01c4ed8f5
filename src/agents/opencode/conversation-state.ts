/** What both halves of OpenCode's protocol remember: which requests are open, and how far the turn has come. */
import type { WireError, WireMessage, WireRequest } from "./wire.ts";

export interface OpenCodeState {
  readonly nextRequest: number;
  /** Requests that were not answered yet, by id. */
  readonly requests: ReadonlyMap<number, WireRequest>;
  /** The session this is about. The server's stream tells of others too. */
  readonly session?: string;
  /** Why the session cannot be used. */
  readonly failure?: {
    readonly reason: string;
    readonly isOfSession: boolean;
    readonly isSessionGone: boolean;
  };
  readonly catalog: Catalog;
  /** What every prompt names. */
  readonly choice: { readonly model?: string; readonly agent?: string };
  /** Where the same events come on several streams, the one that told first is heard until it closes. */
  readonly stream?: string;
  /** Frames were missed: what the server has to be asked for, to be compared with what is known. */
  readonly missed: readonly MissedRoute[];
  /** How many prompts carried no id of ours: those of other clients. */
  readonly unnamed: number;
  /** Prompts the server has not shown as messages yet, oldest first. */
  readonly prompts: readonly SentPrompt[];
  /** The server's user messages, and which of our prompts each is. */
  readonly users: ReadonlyMap<string, string | undefined>;
  /** The user message a `revert` went back to. The server forgets it when the next prompt comes. */
  readonly reverted?: string;
  /** How many questions each ask has. */
  readonly questions: ReadonlyMap<string, number>;
  /** What we answered to asks; an answer that is heard of later may be another client's. */
  readonly replies: ReadonlyMap<string, SentReply>;
  /** A turn failed before the model was asked: the server tells the same error once more, as a stack trace. */
  readonly expectsEcho: boolean;
  readonly turn: Turn;
}

/** In this order: whether it works is asked for last. */
export const MISSED_ROUTES = ["message", "permission", "question", "session/status"] as const;

export type MissedRoute = (typeof MISSED_ROUTES)[number];

/** What the server offers, as far as it has told. */
export interface Catalog {
  /** The model of the user's own configuration; null when there is none. */
  readonly configured?: string | null;
  readonly models?: readonly { readonly id: string; readonly name?: string }[];
  readonly modes?: readonly { readonly id: string; readonly name?: string; readonly description?: string }[];
  readonly commands?: readonly {
    readonly name: string;
    readonly description?: string;
    readonly hint?: string;
  }[];
}

export interface SentPrompt {
  readonly message: string;
  /** It carries our id, so that its message is known by it. */
  readonly isMarked: boolean;
}

interface SentReply {
  readonly request: number;
  /** As the server will tell it to all clients. */
  readonly answer: string;
}

export interface Turn {
  /** From the prompt, or from the server's word that it works, to the end. */
  readonly isRunning: boolean;
  /** The server said that it works. An idle before that belongs to an earlier turn. */
  readonly sawBusy: boolean;
  readonly isStopping: boolean;
  /** It is that of an `opencode run`, whose exit is its end. */
  readonly isRunOnce: boolean;
  readonly error?: WireError;
  /** The newest message of the model. */
  readonly last?: string;
  readonly messages: ReadonlyMap<string, ModelMessage>;
  /** Text that is being written. */
  readonly parts: ReadonlyMap<string, TextPart>;
  /** Parts about which all is said. After frames were missed they are told again. */
  readonly donePartIds: ReadonlyMap<string, true>;
  readonly calls: ReadonlyMap<string, Call>;
  /** Sessions of sub-agents, and the calls that started them. */
  readonly children: ReadonlyMap<string, string>;
  /** Why the model's last step ended. */
  readonly reason?: string;
  /** The text of a compaction. */
  readonly summary?: string;
}

export interface ModelMessage {
  /** The user message it answers. */
  readonly parent?: string;
  readonly model?: string;
  readonly isSummary: boolean;
  readonly isComplete: boolean;
  readonly hasStep: boolean;
}

export interface TextPart {
  readonly kind: "text" | "reasoning";
  readonly message: string;
  /** As far as it was told. */
  readonly text: string;
  /** Nobody is told: the summary of a compaction. */
  readonly isSilent: boolean;
}

export interface Call {
  readonly name: string;
  readonly title?: string;
  readonly hasInput: boolean;
  /** The permission that was asked for before the input had come. */
  readonly askedEarly?: string;
  readonly isSettled: boolean;
  readonly output: string;
}

export const NEW_CALL: Call = { name: "", hasInput: false, isSettled: false, output: "" };

const NO_TURN: Turn = {
  isRunning: false,
  sawBusy: false,
  isStopping: false,
  isRunOnce: false,
  messages: new Map(),
  parts: new Map(),
  donePartIds: new Map(),
  calls: new Map(),
  children: new Map(),
};

export const INITIAL_STATE: OpenCodeState = {
  nextRequest: 1,
  requests: new Map(),
  catalog: {},
  choice: {},
  missed: [],
  unnamed: 0,
  prompts: [],
  users: new Map(),
  questions: new Map(),
  replies: new Map(),
  expectsEcho: false,
  turn: NO_TURN,
};

/** Nothing of an earlier turn counts any more. */
export function startTurn(state: OpenCodeState): OpenCodeState {
  return { ...state, turn: { ...NO_TURN, isRunning: true } };
}

/** What is known of its messages stays: late results still belong to them. */
export function endTurn(state: OpenCodeState): OpenCodeState {
  return { ...state, turn: { ...state.turn, isRunning: false, sawBusy: false, error: undefined } };
}

export function withTurn(state: OpenCodeState, change: Partial<Turn>): OpenCodeState {
  return { ...state, turn: { ...state.turn, ...change } };
}

/** A new process of the server knows the stored conversation, and nothing of what was going on. */
export function afterRestart({ session, users, unnamed, nextRequest }: OpenCodeState): OpenCodeState {
  return { ...INITIAL_STATE, session, users, unnamed, nextRequest };
}

export function modelMessage(
  message: Extract<WireMessage, { role: "assistant" }>,
  known?: ModelMessage,
): ModelMessage {
  return {
    parent: message.parentID,
    model: `${message.providerID}/${message.modelID}`,
    isSummary: message.summary === true,
    isComplete: message.time?.completed !== undefined,
    hasStep: known?.hasStep ?? false,
  };
}
