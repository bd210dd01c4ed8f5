/** One request to the server, as a record: what it answered, or why there is no answer. */
import { parseJson } from "../../core/parse-json.ts";
import type { WireConfiguration, WireProviders, WireRequest, WireResponse } from "./wire.ts";

export interface Address {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** Secret: it is made for this server and dies with it. */
  readonly authorization: string;
}

export async function performRequest(
  { url, authorization }: Address,
  { id, method, path, body }: WireRequest,
  directory: string,
  signal: AbortSignal,
): Promise<WireResponse> {
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      signal,
      headers: {
        authorization,
        // A connection that rested may be closed by the server at the moment it is used, and a prompt is sent once.
        connection: "close",
        "x-opencode-directory": encodeURIComponent(directory),
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      body: JSON.stringify(body),
    });
    return { id, status: response.status, ...(await readBody(response, path)) };
  } catch (error) {
    return { id, error: reasonOf(error) };
  }
}

/** Routes that do not exist are answered with the server's web page. */
async function readBody(response: Response, path: string): Promise<{ body?: unknown; error?: string }> {
  const text = await response.text();
  if (text === "") return {};
  const type = response.headers.get("content-type") ?? "";
  if (!type.includes("json"))
    return { error: `it answered ${path} with ${type || "something"}, not with JSON` };
  return { body: withoutSecrets(path, parseJson(text)) };
}

/** The configuration has keys in it. Only what is read of it leaves this file. */
function withoutSecrets(path: string, body: unknown): unknown {
  if (path === "/config") {
    const { model } = body as WireConfiguration;
    return { model };
  }
  if (path !== "/config/providers") return body;
  const { providers } = body as WireProviders;
  return {
    providers: providers.map(({ id, name, models }) => ({
      id,
      name,
      models: Object.fromEntries(Object.entries(models).map(([model, { name }]) => [model, { name }])),
    })),
  };
}

/** Rejects when the stream cannot be had. */
export async function streamEvents(
  { url, authorization }: Address,
  signal?: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const response = await fetch(`${url}/global/event`, { headers: { authorization }, signal });
  if (response.ok && response.body) return response.body;
  throw new Error(`the server answered ${response.status} when it was asked for its events`);
}

/** `fetch` says only that it failed; why is in the cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: { message?: string } };
  return cause?.message ?? message;
}
