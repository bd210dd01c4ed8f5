/** The translator and the encoder share this state: which requests are open, and how far the conversation has come. */
import { withEntry, withoutEntry } from "../transport/map-entry.ts";
import type { OwnRequest, WireError } from "./wire.ts";

export interface OwnState {
  readonly nextRequest: number;
  /** Requests the program has not answered yet, by id. */
  readonly requests: ReadonlyMap<number, OwnRequest>;
  readonly opening: "new" | "sent" | "ready" | { readonly failed: WireError };
  /**
   * Prompts that were sent and have not begun. While there is one, the end of another turn does not end the turn of
   * the prompt: the agent may have begun that other turn by itself at the same moment.
   */
  readonly unstarted: readonly string[];
  /** The kinds of its tools, by name. */
  readonly kinds: ReadonlyMap<string, string>;
}

export const INITIAL_STATE: OwnState = {
  nextRequest: 1,
  requests: new Map(),
  opening: "new",
  unstarted: [],
  kinds: new Map(),
};

export function afterRequest(state: OwnState, request: OwnRequest): OwnState {
  const isOwnTurn = request.method === "prompt" && !request.params.steer;
  return {
    ...state,
    nextRequest: Math.max(state.nextRequest, request.id + 1),
    requests: withEntry(state.requests, request.id, request),
    opening: request.method === "open" ? "sent" : state.opening,
    unstarted: isOwnTurn ? [...state.unstarted, request.params.prompt] : state.unstarted,
  };
}

export function afterAnswer(state: OwnState, id: number): OwnState {
  return { ...state, requests: withoutEntry(state.requests, id) };
}

export function afterStart(state: OwnState, prompt: string | undefined): OwnState {
  return { ...state, unstarted: state.unstarted.filter((unstarted) => unstarted !== prompt) };
}
