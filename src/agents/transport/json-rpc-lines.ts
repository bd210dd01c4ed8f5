/** The lines of JSON-RPC that go to an agent, made from the ledger of what went before. */
import { METHOD_NOT_FOUND, type RpcError, type RpcId, type RpcLedger, type RpcParams } from "./json-rpc.ts";

export interface RpcCall {
  readonly method: string;
  readonly params: RpcParams;
  /** Becomes part of the id, to be found again in the answer when the agent names nothing else. */
  readonly note?: string;
}

/**
 * Lines for requests that leave together. With a `scope` the ids are `scope:1`, `scope:2`…: where sessions share a
 * connection, each has its own.
 */
export function requestLines(ledger: RpcLedger, calls: readonly RpcCall[], scope?: string): string[] {
  return calls.map(({ method, params, note }, place) => {
    const number = ledger.count + place + 1;
    if (scope === undefined && note === undefined) return line({ id: number, method, params });
    const id = [scope ?? "", number, ...(note === undefined ? [] : [note])].join(":");
    return line({ id, method, params });
  });
}

export function noteOf(id: RpcId): string | undefined {
  if (typeof id !== "string") return undefined;
  const [, , ...note] = id.split(":");
  return note.join(":") || undefined;
}

/** The scope of an id that `requestLines` made, if it has one. */
export function scopeOf(id: RpcId): string | undefined {
  if (typeof id !== "string") return undefined;
  return id.slice(0, Math.max(0, id.indexOf(":"))) || undefined;
}

export function notificationLine(method: string, params?: RpcParams): string {
  return line({ method, params });
}

export function resultLine(id: RpcId, result: unknown): string {
  return line({ id, result });
}

export function errorLine(id: RpcId, error: RpcError): string {
  return line({ id, error });
}

/** Refuses every request of the agent that `isExpected` does not claim, so that the agent never waits for nothing. */
export function refusals(ledger: RpcLedger, isExpected: (method: string) => boolean): string[] {
  if (ledger.asked.size === 0) return [];
  return [...ledger.asked.values()]
    .filter(({ method }) => !isExpected(method))
    .map(({ id, method }) =>
      errorLine(id, { code: METHOD_NOT_FOUND, message: `This client does not know "${method}".` }),
    );
}

function line(message: object): string {
  return JSON.stringify({ jsonrpc: "2.0", ...message });
}
