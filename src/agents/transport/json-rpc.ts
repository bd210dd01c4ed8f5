/**
 * JSON-RPC over lines, as pure bookkeeping: which requests of either side wait for an answer. What a method means
 * does not belong here. An agent's state keeps a ledger, its translator notes every message in it, and its encoder
 * makes lines from it.
 */
import { isRecord } from "../../core/is-record.ts";
import { withEntry, withoutEntry } from "./map-entry.ts";
import { MAP_BOUNDS, type MapBounds } from "./versioned-map.ts";

export type RpcId = string | number;

export type RpcParams = Readonly<Record<string, unknown>>;

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** A request that was not answered yet, ours or the agent's. */
export interface RpcRequest {
  readonly id: RpcId;
  readonly method: string;
  readonly params: RpcParams;
}

export type RpcMessage =
  | ({ readonly kind: "request" } & RpcRequest)
  | { readonly kind: "notification"; readonly method: string; readonly params: RpcParams }
  | { readonly kind: "result"; readonly id: RpcId; readonly result: unknown }
  | { readonly kind: "error"; readonly id: RpcId; readonly error: RpcError }
  | { readonly kind: "other" };

export interface RpcLedger {
  /** How many requests were sent: the next id is made from it. */
  readonly count: number;
  /** Ours, by their ids. */
  readonly sent: ReadonlyMap<RpcId, RpcRequest>;
  /** The agent's, by the text of their ids, so that an ask has a name. The two sides number on their own. */
  readonly asked: ReadonlyMap<string, RpcRequest>;
}

/** An agent that asks for more than this at once gets no answer to what it asked first. */
const ASKED_BOUNDS: MapBounds = { ...MAP_BOUNDS, entries: 1000 };

export const EMPTY_LEDGER: RpcLedger = { count: 0, sent: new Map(), asked: new Map() };

/** Codes of the JSON-RPC specification. */
export const METHOD_NOT_FOUND = -32601;

const NO_PARAMS: RpcParams = {};
const OTHER: RpcMessage = { kind: "other" };

/** Tells what kind of message a parsed line is. Some agents leave out the `jsonrpc` field, so it is not asked for. */
export function readMessage(message: Readonly<Record<string, unknown>>): RpcMessage {
  const { id, method } = message;
  const hasId = typeof id === "string" || typeof id === "number";
  if (typeof method === "string") {
    const params = isRecord(message.params) ? message.params : NO_PARAMS;
    return hasId ? { kind: "request", id, method, params } : { kind: "notification", method, params };
  }
  if (!hasId) return OTHER;
  if (message.error !== undefined && message.error !== null) {
    return { kind: "error", id, error: readError(message.error) };
  }
  return "result" in message ? { kind: "result", id, result: message.result } : OTHER;
}

export function afterSent(ledger: RpcLedger, message: RpcMessage): RpcLedger {
  if (message.kind === "request") {
    const { id, method, params } = message;
    return {
      ...ledger,
      count: ledger.count + 1,
      sent: withEntry(ledger.sent, id, { id, method, params }),
    };
  }
  if (message.kind === "result" || message.kind === "error") return withoutAsked(ledger, String(message.id));
  return ledger;
}

/** The ledger after a message from the agent. Look up what an answer belongs to in `sent` before this. */
export function afterHeard(ledger: RpcLedger, message: RpcMessage): RpcLedger {
  if (message.kind === "request") {
    const { id, method, params } = message;
    return { ...ledger, asked: withEntry(ledger.asked, String(id), { id, method, params }, ASKED_BOUNDS) };
  }
  if (message.kind !== "result" && message.kind !== "error") return ledger;
  const sent = withoutEntry(ledger.sent, message.id);
  return sent === ledger.sent ? ledger : { ...ledger, sent };
}

/** The agent does not wait for this answer any more. */
export function withoutAsked(ledger: RpcLedger, name: string): RpcLedger {
  const asked = withoutEntry(ledger.asked, name);
  return asked === ledger.asked ? ledger : { ...ledger, asked };
}

/** Whether a request of ours with this method waits for its answer. */
export function isWaitingFor(ledger: RpcLedger, method: string): boolean {
  for (const request of ledger.sent.values()) if (request.method === method) return true;
  return false;
}

/** The ids of our requests with one of these methods that wait for their answers. */
export function unansweredIds({ sent }: RpcLedger, methods: readonly string[]): RpcId[] {
  return [...sent.values()].filter(({ method }) => methods.includes(method)).map(({ id }) => id);
}

function readError(error: unknown): RpcError {
  const { code, message, data } = isRecord(error) ? error : ({} as RpcParams);
  return {
    code: typeof code === "number" ? code : 0,
    message: typeof message === "string" ? message : JSON.stringify(error),
    ...(data !== undefined && { data }),
  };
}
