/** The daemon, by the SDK and with the token of this tab. The page never talks to another origin. */
import { refusalOf } from "../../../src/sdk/error.ts";
import { HttpClient } from "../../../src/sdk/http.ts";
import type { DaemonMessage } from "../chat/page-message.ts";
import { readToken } from "./token.ts";

const NAME = "page";

const unauthorized = new Set<() => void>();

/** Calls `listener` whenever the daemon refuses the token. Returns a function that unsubscribes. */
export function onUnauthorized(listener: () => void): () => void {
  unauthorized.add(listener);
  return () => unauthorized.delete(listener);
}

/** The routes of `/v1`. */
export function daemon(): HttpClient {
  return new HttpClient({ baseUrl: location.origin, token: readToken, name: NAME, fetch: fetchAsPage });
}

/** Without a token, for whoever has none yet. */
export function stranger(): HttpClient {
  const fetchOnce: typeof fetch = (input, init) =>
    fetch(input, { ...init, credentials: "omit", cache: "no-store" });
  return new HttpClient({ baseUrl: location.origin, token: () => undefined, name: NAME, fetch: fetchOnce });
}

/** `fetch` with the token, for the chat transport. */
export function authorizedFetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set("authorization", `Bearer ${readToken() ?? ""}`);
  headers.set("x-interlingua-client", NAME);
  return fetchAsPage(input, { ...init, headers });
}

/** What a route of `/api/chat` answers. */
export async function readChat<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  const response = await authorizedFetch(`/api/chat/${path}`, { signal });
  if (!response.ok) throw await refusalOf(response);
  return (await response.json()) as Answer;
}

/** One message, as the chat has it. */
export async function readMessage(
  session: string,
  message: string,
  signal: AbortSignal,
): Promise<DaemonMessage> {
  const path = `${session}/messages/${encodeURIComponent(message)}`;
  return (await readChat<{ message: DaemonMessage }>(path, signal)).message;
}

async function fetchAsPage(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, { ...init, credentials: "omit", cache: "no-store" });
  if (response.status === 401) for (const listener of unauthorized) listener();
  return response;
}
