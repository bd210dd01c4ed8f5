/** What both halves of Codex's protocol remember: open requests, the thread, its turn, and what runs in it. */
import { EMPTY_LEDGER, type RpcLedger } from "../transport/json-rpc.ts";
import type { WireChange, WireModel, WireThreadSettings, WireTokens } from "./wire.ts";

export interface TurnState {
  /** Known once Codex has answered. */
  readonly id?: string;
  /** Codex takes no interrupt and no steering before it has said so. */
  readonly isStarted: boolean;
}

export interface OpenText {
  readonly thread: string;
  readonly said: string;
}

export interface RunningCommand {
  readonly thread: string;
  readonly turn: string;
  readonly title: string;
  /** Codex's name of the terminal; unknown while the command waits for approval. */
  readonly process?: string;
  readonly output: string;
  /** The model went on without waiting for it. */
  readonly isBackground: boolean;
  /** A person stopped the turn it belongs to. */
  readonly isStopped?: boolean;
}

interface SubAgent {
  /** The call that started it. */
  readonly call: string;
  readonly turn?: string;
}

interface Rewinding {
  readonly before: string;
  /** The turn to go back before; looked up in Codex's history where this process has not seen it. */
  readonly turn?: string;
  /** Where to look on. */
  readonly cursor?: string;
}

export interface CodexState {
  readonly rpc: RpcLedger;
  readonly thread?: string;
  readonly model?: string;
  /** Its collaboration mode, once it was told. */
  readonly mode?: string;
  /** What the thread works with, as Codex last told. */
  readonly settings?: WireThreadSettings;
  /** The models it offers; none where it did not tell. */
  readonly models?: readonly WireModel[];
  /** A change of settings was answered. */
  readonly isConfigured: boolean;
  /** Codex tells nothing more of the thread. */
  readonly hasLeft: boolean;
  /** Codex declined to open the thread. */
  readonly failure?: string;
  readonly turn?: TurnState;
  readonly endedTurn?: string;
  /** Prompts sent and not heard of since; one that had no id is empty. */
  readonly prompts: readonly string[];
  /** The turn each prompt began. Prompts that steered one are not in it. */
  readonly turnOf: ReadonlyMap<string, string>;
  /** The next content is the answer to a new request to the model. */
  readonly isBetweenSteps: boolean;
  readonly texts: ReadonlyMap<string, OpenText>;
  /** The open part of each reasoning item. */
  readonly reasoning: ReadonlyMap<string, string>;
  /** Parts of the running model response, which a retry would say again. */
  readonly attempt: ReadonlyMap<string, true>;
  readonly commands: ReadonlyMap<string, RunningCommand>;
  /** Commands a person stopped: Codex leaves them running. */
  readonly stopped: ReadonlySet<string>;
  /** What a file approval is about: the request itself does not say. */
  readonly changes: ReadonlyMap<string, readonly WireChange[]>;
  /** The servers of running MCP calls: a request for approval names the server only. */
  readonly mcpCalls: ReadonlyMap<string, string>;
  /** Sub-agents by their threads. */
  readonly agents: ReadonlyMap<string, SubAgent>;
  /** What the thread has used so far. */
  readonly usage?: WireTokens;
  readonly warnings: ReadonlyMap<string, true>;
  readonly rewinding?: Rewinding;
}

export const INITIAL_STATE: CodexState = {
  rpc: EMPTY_LEDGER,
  isConfigured: false,
  hasLeft: false,
  prompts: [],
  turnOf: new Map(),
  isBetweenSteps: true,
  texts: new Map(),
  reasoning: new Map(),
  attempt: new Map(),
  commands: new Map(),
  stopped: new Set(),
  changes: new Map(),
  mcpCalls: new Map(),
  agents: new Map(),
  warnings: new Map(),
};

/** A prompt was heard of, or refused. */
export function withoutPrompt(state: CodexState, message: string): CodexState {
  const place = state.prompts.indexOf(message);
  return place < 0 ? state : { ...state, prompts: state.prompts.toSpliced(place, 1) };
}

export function isAskedAbout(state: CodexState, item: string): boolean {
  for (const { params } of state.rpc.asked.values()) if (params.itemId === item) return true;
  return false;
}
