/** Requests to the daemon, with the token. Paths only: the page never talks to another origin. */
import type { ErrorCode } from "../../../src/core/error.ts";
import type { Problem } from "../../../src/protocol/schemas/problem.ts";
import { ApiError } from "./api-error.ts";
import { readToken } from "./token.ts";

const unauthorized = new Set<() => void>();

/** Calls `listener` whenever the daemon refuses the token. Returns a function that unsubscribes. */
export function onUnauthorized(listener: () => void): () => void {
  unauthorized.add(listener);
  return () => unauthorized.delete(listener);
}

/** `fetch` with the token; also what the chat transport uses. */
export async function authorizedFetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set("authorization", `Bearer ${readToken() ?? ""}`);
  headers.set("x-interlingua-client", "page");
  const response = await fetch(input, { ...init, headers, credentials: "omit", cache: "no-store" });
  if (response.status === 401) for (const listener of unauthorized) listener();
  return response;
}

/** The parsed answer; throws an `ApiError` for a refusal and a TypeError when nobody answers. */
export async function call<Result>(
  method: "GET" | "POST" | "PATCH" | "DELETE",
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<Result> {
  const response = await authorizedFetch(path, {
    method,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    }),
    signal,
  });
  if (!response.ok) throw new ApiError(response.status, await readProblem(response));
  return (response.status === 204 ? undefined : await response.json()) as Result;
}

/** Under `/api/chat` a refusal is the sentence alone, with its code in a header. */
async function readProblem(response: Response): Promise<Partial<Problem> | undefined> {
  const code = response.headers.get("x-interlingua-error");
  try {
    if (code !== null) return { detail: await response.text(), code: code as ErrorCode };
    return (await response.json()) as Problem;
  } catch {
    return undefined;
  }
}
