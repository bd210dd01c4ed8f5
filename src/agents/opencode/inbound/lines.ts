/** Requests as the lines of records. */
import type { OpenCodeState } from "../conversation-state.ts";
import type { WireChoice, WireRequest } from "../wire.ts";

export type Request = Omit<WireRequest, "id">;

export function requestLines({ nextRequest }: OpenCodeState, requests: readonly Request[]): string[] {
  return requests.map((request, index) =>
    JSON.stringify({ kind: "http", msg: { id: nextRequest + index, ...request } }),
  );
}

export function choiceLine(choice: WireChoice): string {
  return JSON.stringify({ kind: "choice", msg: choice });
}
