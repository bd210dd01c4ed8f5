/** What both halves of the protocol remember: which requests are open, and how far things have come. */
import { withEntry, withoutEntry } from "../transport/map-entry.ts";
import type { WireError, WireRequest } from "./wire.ts";

export interface ModelState {
  readonly nextRequest: number;
  /** Requests that are not answered yet, by id. */
  readonly requests: ReadonlyMap<number, WireRequest>;
  readonly opening: "new" | "sent" | "ready" | { readonly failed: WireError };
  /** The kinds of its tools, by name. */
  readonly kinds: ReadonlyMap<string, string>;
}

export const INITIAL_STATE: ModelState = {
  nextRequest: 1,
  requests: new Map(),
  opening: "new",
  kinds: new Map(),
};

export function afterRequest(state: ModelState, request: WireRequest): ModelState {
  return {
    ...state,
    nextRequest: Math.max(state.nextRequest, request.id + 1),
    requests: withEntry(state.requests, request.id, request),
    opening: request.method === "open" ? "sent" : state.opening,
  };
}

export function afterAnswer(state: ModelState, id: number): ModelState {
  return { ...state, requests: withoutEntry(state.requests, id) };
}
