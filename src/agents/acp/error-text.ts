/** The sentence in a JSON-RPC error. Agents put it in `message`, in one of several places of `data`, or in JSON in both. */

import type { RpcError } from "../transport/json-rpc.ts";
import { parseJson } from "../transport/parse-json.ts";
import { isObject, textOf } from "./loose.ts";
import { ERROR_CODE } from "./wire.ts";

/** Messages that only repeat the code. */
const EMPTY_WORDS =
  /^(internal error|invalid params|resource not found|authentication required|server error)$/i;
const EMPTY_PREFIX = /^(internal error|invalid params): /i;

export function errorText(error: RpcError): string {
  const message = unwrap(error.message).replace(EMPTY_PREFIX, "");
  const detail = detailOf(error.data);
  if (detail === undefined || message.includes(detail)) return message || "The agent reported an error.";
  return message === "" || EMPTY_WORDS.test(message) ? detail : `${message}: ${detail}`;
}

/** The code a turn's error has in our log. */
export function errorCode(error: RpcError): string {
  return error.code === ERROR_CODE.authRequired ? "auth_required" : "agent_error";
}

function detailOf(data: unknown): string | undefined {
  if (typeof data === "string") return unwrap(data) || undefined;
  if (Array.isArray(data)) return detailOf(data[0]);
  if (!isObject(data)) return undefined;
  const text = textOf(data.details) ?? textOf(data.message) ?? textOf(data.error);
  return text === undefined ? undefined : unwrap(text);
}

/** Some pass on the JSON body a model's API answered with. */
function unwrap(text: string): string {
  if (!text.startsWith("{")) return text;
  try {
    const { error, message } = parseJson(text) as { error?: unknown; message?: unknown };
    return textOf(isObject(error) ? error.message : error) ?? textOf(message) ?? text;
  } catch {
    return text;
  }
}
