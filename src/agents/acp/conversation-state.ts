/** What both halves of an ACP conversation remember: the open requests, the session, the turn, the calls. */
import type { TokenUsage } from "../../core/usage.ts";
import { EMPTY_LEDGER, type RpcLedger } from "../transport/json-rpc.ts";
import { withEntry, withoutEntry } from "../transport/map-entry.ts";
import type { FailingAgent } from "../transport/model-failure.ts";
import { MAP_BOUNDS, type MapBounds } from "../transport/versioned-map.ts";
import type { JsonObject } from "./untyped.ts";

/** What `initialize` told about the agent. */
export interface AgentIdentity {
  readonly name?: string;
  readonly version?: string;
  /** The protocol it speaks: 1, or another number it insists on. */
  readonly protocol: number;
  readonly capabilities: JsonObject;
  readonly authMethods: readonly JsonObject[];
}

export interface Refusal {
  readonly method: string;
  readonly code: number;
  readonly message: string;
  /** The agent has no such conversation. */
  readonly isLost?: boolean;
}

/** How far the opening has come. */
export interface Opening {
  /** Why the last step failed. */
  readonly refused?: Refusal;
  readonly hasAuthenticated: boolean;
  readonly isOpen: boolean;
  /** Model, mode or settings were set in it. */
  readonly isSetUp: boolean;
}

export interface OpenPart {
  readonly kind: "text" | "reasoning";
  readonly id?: string;
  readonly parent?: string;
}

export interface KnownCall {
  readonly name: string;
  readonly title?: string;
  readonly kind?: string;
  /** As JSON, to notice what is new. */
  readonly locations?: string;
  readonly input?: string;
  /** The open ask about it. */
  readonly ask?: string;
  /** The newest content: an update replaces it. */
  readonly content: readonly JsonObject[];
  /** The newest content that had changes of files in it. */
  readonly changes: readonly JsonObject[];
  /** What its terminal has written, where the agent runs it and only shows it. */
  readonly written: string;
  /** Its result as JSON once it has one; empty when its turn ended without. */
  readonly result?: string;
}

export interface TerminalView {
  readonly text: string;
  readonly exitCode?: number;
}

export interface TurnState {
  /** Prompts sent and not answered. */
  readonly prompts: number;
  readonly stopping: boolean;
  /** Something was declined; agents may end their turn over it. */
  readonly declined: boolean;
  /** The calls that were; agents may announce them once more. */
  readonly declinedCalls: ReadonlySet<string>;
  /** The agent has shown anything at all. */
  readonly spoke: boolean;
  readonly hasAnswered: boolean;
  /** What may be an error in the place of the answer. It is one if nothing follows. */
  readonly held?: HeldText;
}

interface HeldText {
  readonly text: string;
  /** The id of its message. */
  readonly id?: string;
  /** The error in it. */
  readonly failure: string;
}

/** What the agent told about its settings: the new way, and the two older ones. */
export interface Configuration {
  readonly options?: readonly JsonObject[];
  readonly modes?: JsonObject;
  readonly models?: JsonObject;
}

export interface AcpState {
  /** The agent that is named in errors of its model. */
  readonly program: FailingAgent;
  readonly rpc: RpcLedger;
  readonly agent?: AgentIdentity;
  readonly opening: Opening;
  readonly session?: { readonly id: string };
  readonly cwd?: string;
  /** The agent may tell the conversation so far, which the log has. It ends with the first prompt. */
  readonly isReplaying: boolean;
  readonly hasPrompted: boolean;
  readonly hasClosed: boolean;
  readonly turn: TurnState;
  readonly part?: OpenPart;
  readonly calls: ReadonlyMap<string, KnownCall>;
  /** The terminals we run for the agent, as we last told it about them. */
  readonly terminals: ReadonlyMap<string, TerminalView>;
  readonly configuration: Configuration;
  /** What turns have used so far, of an agent that tells only the sum. */
  readonly used: TokenUsage;
  /** What was spent so far, as the agent last told. Undefined while that may be of earlier processes too. */
  readonly cost?: number;
  /** How full its context was, as JSON. */
  readonly context?: string;
}

const NO_TURN: TurnState = {
  prompts: 0,
  stopping: false,
  declined: false,
  declinedCalls: new Set(),
  spoke: false,
  hasAnswered: false,
};

/** An agent of which nothing is known but that it speaks the protocol. */
export const ANY_AGENT: FailingAgent = {
  title: "The agent",
  signIn: "Sign in with its own program, or set its key in the `env` of the agent in the config file.",
};

export const INITIAL_STATE: AcpState = {
  program: ANY_AGENT,
  rpc: EMPTY_LEDGER,
  opening: { hasAuthenticated: false, isOpen: false, isSetUp: false },
  isReplaying: false,
  hasPrompted: false,
  hasClosed: false,
  turn: NO_TURN,
  calls: new Map(),
  terminals: new Map(),
  configuration: {},
  used: {},
  cost: 0,
};

/** How many settled calls are remembered for what is told about them late. */
const SETTLED_KEPT = 256;

/** How many calls are remembered at all. One that is forgotten and told of again is told anew; the machine knows it. */
const CALL_BOUNDS: MapBounds = { ...MAP_BOUNDS, entries: 2000 };

export function withCall(state: AcpState, id: string, call: KnownCall): AcpState {
  const calls = withEntry(state.calls, id, call, CALL_BOUNDS);
  if (calls.size <= SETTLED_KEPT || call.result === undefined) return { ...state, calls };
  for (const [old, { result }] of calls) {
    if (result !== undefined) return { ...state, calls: withoutEntry(calls, old) };
  }
  return { ...state, calls };
}

export function afterPrompt(state: AcpState): AcpState {
  const { turn } = state;
  return {
    ...state,
    isReplaying: false,
    hasPrompted: true,
    turn: turn.prompts === 0 ? { ...NO_TURN, prompts: 1 } : { ...turn, prompts: turn.prompts + 1 },
  };
}

/** Calls the turn leaves open are the session machine's to close; here they only count as over. */
export function afterTurn(state: AcpState): AcpState {
  const isOpen = [...state.calls.values()].some(({ result }) => result === undefined);
  const calls = isOpen
    ? new Map([...state.calls].map(([id, call]) => [id, { ...call, result: call.result ?? "" }]))
    : state.calls;
  return { ...state, turn: NO_TURN, part: undefined, calls };
}

export function withTurn(state: AcpState, change: Partial<TurnState>): AcpState {
  return { ...state, turn: { ...state.turn, ...change } };
}

/** An ask was answered. What was declined will not be run, whatever is still told about its call. */
export function afterDecision(state: AcpState, id: string | undefined, isAllowed: boolean): AcpState {
  const call = id === undefined ? undefined : state.calls.get(id);
  const known = call === undefined ? state : withCall(state, id!, withoutAsk(call));
  if (isAllowed) return known;
  const { declinedCalls } = state.turn;
  return withTurn(known, {
    declined: true,
    declinedCalls: id === undefined ? declinedCalls : new Set([...declinedCalls, id]),
  });
}

function withoutAsk({ ask: _ask, ...call }: KnownCall): KnownCall {
  return call;
}

export function afterSign(state: AcpState): AcpState {
  return state.turn.spoke || state.turn.prompts === 0 ? state : withTurn(state, { spoke: true });
}
