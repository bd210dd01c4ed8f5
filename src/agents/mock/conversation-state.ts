/** What both halves of the mock's protocol remember: which requests are open, and how far things have come. */
import { withEntry, withoutEntry } from "../transport/map-entry.ts";
import type { WireError, WireRequest } from "./wire.ts";

export interface MockState {
  readonly nextRequest: number;
  /** Requests the mock has not answered yet, by id. */
  readonly requests: ReadonlyMap<number, WireRequest>;
  readonly opening: "new" | "sent" | "ready" | { readonly failed: WireError };
  /**
   * Prompts that were sent and not begun. While there is one, the end of another turn (one the mock began by
   * itself at the same moment) is not the end of the turn the prompt opened.
   */
  readonly unstarted: readonly string[];
}

export const INITIAL_STATE: MockState = {
  nextRequest: 1,
  requests: new Map(),
  opening: "new",
  unstarted: [],
};

export function afterRequest(state: MockState, request: WireRequest): MockState {
  const isOwnTurn = request.method === "prompt" && !request.params.steer;
  return {
    nextRequest: Math.max(state.nextRequest, request.id + 1),
    requests: withEntry(state.requests, request.id, request),
    opening: request.method === "open" ? "sent" : state.opening,
    unstarted: isOwnTurn ? [...state.unstarted, request.params.prompt] : state.unstarted,
  };
}

export function afterAnswer(state: MockState, id: number): MockState {
  return { ...state, requests: withoutEntry(state.requests, id) };
}

export function afterStart(state: MockState, prompt: string): MockState {
  return { ...state, unstarted: state.unstarted.filter((unstarted) => unstarted !== prompt) };
}
