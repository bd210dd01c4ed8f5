/** The sentence in a JSON-RPC error. Agents put it in `message`, in one of several places of `data`, or in JSON in both. */
import type { TurnError } from "../../core/event.ts";
import { isRecord } from "../../core/is-record.ts";
import { parseJson } from "../../core/parse-json.ts";
import { plainText } from "../../core/plain-text.ts";
import type { RpcError } from "../transport/json-rpc.ts";
import { type FailingAgent, type ModelFailure, modelFailure } from "../transport/model-failure.ts";
import { objectOf, textOf } from "./untyped.ts";
import { ERROR_CODE } from "./wire.ts";

/** Messages that only repeat the code. */
const EMPTY_WORDS =
  /^(internal error|invalid params|resource not found|authentication required|server error)$/i;
const EMPTY_PREFIX = /^(internal error|invalid params): /i;

export function rpcErrorText(error: RpcError): string {
  const message = unwrap(error.message).replace(EMPTY_PREFIX, "");
  const detail = detailOf(error.data);
  if (detail === undefined || message.includes(detail)) return message || "The agent reported an error.";
  return message === "" || EMPTY_WORDS.test(message) ? detail : `${message}: ${detail}`;
}

/** What an error tells of the model's failure. */
export function failureOf(error: RpcError): ModelFailure {
  const said = rpcErrorText(error);
  const { http_status: status } = objectOf(error.data);
  // Gemini's code is the status of the model's answer.
  if (typeof status === "number" || error.code > 0) return { said, status: Number(status ?? error.code) };
  // Who opened the session has credentials; goose says no more than this when they are refused.
  if (error.code === ERROR_CODE.authRequired) return { said, otherwise: "authentication_failed" };
  return { said };
}

/** The error a turn ends with in our log. */
export function turnError(agent: FailingAgent, failure: ModelFailure): TurnError {
  return modelFailure(failure, agent) ?? { code: "agent_error", message: failure.said };
}

function detailOf(data: unknown): string | undefined {
  if (typeof data === "string") return unwrap(data) || undefined;
  if (Array.isArray(data)) return detailOf(data[0]);
  if (!isRecord(data)) return undefined;
  const text = textOf(data.details) ?? textOf(data.message) ?? textOf(data.error);
  return text === undefined ? undefined : unwrap(text);
}

/** Some pass on the JSON body a model's API answered with. */
export function unwrap(told: string): string {
  const text = plainText(told);
  if (!text.startsWith("{")) return text;
  try {
    const { error, message } = parseJson(text) as { error?: unknown; message?: unknown };
    return textOf(isRecord(error) ? error.message : error) ?? textOf(message) ?? text;
  } catch {
    return text;
  }
}
