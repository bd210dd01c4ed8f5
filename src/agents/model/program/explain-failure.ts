/** What an error of a provider means: a code, a sentence with the remedy, and whether trying again may help. */
import { isIP } from "node:net";
import { APICallError, InvalidPromptError, UnsupportedFunctionalityError } from "ai";
import { trimEndOf } from "../../../core/trim-end-of.ts";
import { modelFailure } from "../../transport/model-failure.ts";
import { keyRemedy, type Provider } from "../providers.ts";
import type { ChosenModel } from "./create-model.ts";
import { isRefusedAddress } from "./tools/web/refused-address.ts";
import { TurnFailure } from "./turn-failure.ts";
import { withoutPasswords } from "./without-passwords.ts";

export interface ExplainedFailure {
  readonly failure: TurnFailure;
  /** What happened, without the remedy. */
  readonly what: string;
  readonly isRetryable: boolean;
  /** How long the provider wants to be left alone. */
  readonly retryAfterMs?: number;
  /** In a word: `rate-limit` or `retry`, as the notice about it is called. */
  readonly notice: string;
}

/** Nobody listens there, and nobody will in a second. */
const NOBODY_THERE = new Set([
  "bad port",
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);
const PASSING_STATUSES = new Set([408, 409, 425, 429, 500, 502, 503, 504, 529]);
/** What was sent is the reason. */
const REFUSING_STATUSES = new Set([400, 413, 415, 422]);
/** How errors in the middle of a stream are named, where they have no status. */
const PASSING_NAMES = /overloaded|server_error|internal|unavailable|timeout|rate_?limit/i;
/** How libraries say that an answer was no whole one, or none. */
const CUT_ANSWER = /\bended without a finish\b/;
const MAX_SAID_LENGTH = 500;

export function explainFailure(error: unknown, { provider, model, secrets }: ChosenModel): ExplainedFailure {
  if (error instanceof TurnFailure)
    return { failure: error, what: error.message, isRetryable: false, notice: "retry" };
  const status = statusOf(error);
  // Some services repeat the key they refuse.
  const said = secrets.reduce(
    (text, secret) => text.replaceAll(secret, "[key]"),
    withoutPasswords(saidBy(error)),
  );
  const systemCode = systemCodeOf(error);
  const isPassing = isPassingFailure(error, status);
  const { code, what, whole } = wordsFor({
    status,
    said,
    systemCode,
    isCut: isCutAnswer(error),
    isRefusal: isRefused(error, status),
    provider,
    model,
  });
  return {
    failure: new TurnFailure(code, whole, { cause: error }),
    what,
    isRetryable: isPassing && !NOBODY_THERE.has(systemCode ?? ""),
    retryAfterMs: retryAfter(error),
    notice: status === 429 ? "rate-limit" : "retry",
  };
}

interface Facts {
  readonly status?: number;
  readonly said: string;
  readonly systemCode?: string;
  readonly isCut: boolean;
  readonly isRefusal: boolean;
  readonly provider: Provider;
  readonly model: string;
}

interface Words {
  readonly code: string;
  readonly what: string;
  /** With the remedy. */
  readonly whole: string;
}

function wordsFor({ status, said, systemCode, isCut, isRefusal, provider, model }: Facts): Words {
  const place = `${provider.title} at ${withoutPasswords(provider.url)}`;
  const words = (code: string, what: string, remedy: string) => ({ code, what, whole: `${what} ${remedy}` });
  if (isCut) {
    const remedy = `Send the prompt again. If it comes again, see whether ${provider.urlSetting} is right.`;
    return words("connection_lost", `${place} gave no whole answer: it ended in the middle.`, remedy);
  }
  if (status === undefined && systemCode !== undefined) {
    if (NOBODY_THERE.has(systemCode)) {
      const remedy = `${isNearby(provider.url) ? "Start it" : "Check the network"}, or correct ${provider.urlSetting}.`;
      return words("endpoint_unreachable", `${place} cannot be reached (${systemCode}).`, remedy);
    }
    const remedy = "Send the prompt again, or see why it fails there.";
    return words("connection_lost", `The connection to ${place} was lost (${systemCode}).`, remedy);
  }
  if (status === 404) {
    const what = `${place} does not know the model "${model}", or has no such address: ${sentence(said)}`;
    return words("model_not_found", what, `Choose another model, or correct ${provider.urlSetting}.`);
  }
  const keys = provider.keyVariables.join(" or ");
  const signIn =
    keys === ""
      ? keyRemedy(provider)
      : `Correct ${keys} where it is set: in the session's env, or in the daemon's environment, and then start the daemon again.`;
  const told = `${place}: ${said}`;
  const known = modelFailure({ status, said: told }, { title: provider.title, signIn });
  if (known) return { code: known.code, what: sentence(told), whole: known.message };
  const answer = status === undefined ? "failed" : `answered ${status}`;
  const what = `${place} ${answer}: ${sentence(said)}`;
  if (isRefusal) return words("request_refused", what, "Change the prompt, or choose another model.");
  return words("model_error", what, "Send the prompt again, or choose another model.");
}

/** On this machine or in the network around it: what is there, people start themselves. */
function isNearby(address: string): boolean {
  const host = URL.parse(address)?.hostname.replace(/^\[|\]$/g, "") ?? "";
  if (isIP(host) !== 0) return isRefusedAddress(host);
  return !host.includes(".") || /\.(local|lan|internal|home\.arpa|localhost)$/.test(host);
}

/** Also what the library itself will not send. */
function isRefused(error: unknown, status: number | undefined): boolean {
  if (status !== undefined) return REFUSING_STATUSES.has(status);
  return chain(error).some(
    (link) => UnsupportedFunctionalityError.isInstance(link) || InvalidPromptError.isInstance(link),
  );
}

function isPassingFailure(error: unknown, status: number | undefined): boolean {
  if (isCutAnswer(error)) return true;
  if (status !== undefined) return PASSING_STATUSES.has(status);
  const { isRetryable } = error as { isRetryable?: unknown };
  // Without a status the connection was lost or an answer was cut.
  return isRetryable === true || isConnectionError(error) || chain(error).some(hasPassingName);
}

function isCutAnswer(error: unknown): boolean {
  return chain(error).some((link) => CUT_ANSWER.test(messageOf(link)));
}

function hasPassingName(link: object): boolean {
  const { type, code } = link as { type?: unknown; code?: unknown };
  return PASSING_NAMES.test(`${type} ${code}`);
}

function isConnectionError(error: unknown): boolean {
  return chain(error).some(
    (link) =>
      systemCodeIn(link) !== undefined ||
      /terminated|fetch failed|socket|premature|cannot connect|failed to process successful/i.test(
        messageOf(link),
      ),
  );
}

function statusOf(error: unknown): number | undefined {
  for (const link of chain(error)) {
    const { statusCode, code } = link as { statusCode?: unknown; code?: unknown };
    // An answer that broke off has the 200 it began with; what follows may say more.
    for (const status of [statusCode, code])
      if (typeof status === "number" && status >= 400 && status < 600) return status;
  }
  return undefined;
}

function saidBy(error: unknown): string {
  const message =
    chain(error)
      .map(messageOf)
      .find((text) => text !== "") ?? "no reason given";
  return message.replace(/\s+/g, " ").slice(0, MAX_SAID_LENGTH);
}

function systemCodeOf(error: unknown): string | undefined {
  return chain(error)
    .map(systemCodeIn)
    .find((code) => code !== undefined);
}

function systemCodeIn(link: object): string | undefined {
  const { code } = link as { code?: unknown };
  // Ports that browsers refuse are refused by `fetch` too.
  if (messageOf(link) === "bad port") return "bad port";
  return typeof code === "string" && /^(E[A-Z]{3,}|UND_ERR_\w+)$/.test(code) ? code : undefined;
}

/** The error and what caused it. */
function chain(error: unknown): object[] {
  const links: object[] = [];
  for (let link = error; typeof link === "object" && link !== null && links.length < 8; ) {
    links.push(link);
    const { cause, lastError, errors } = link as { cause?: unknown; lastError?: unknown; errors?: unknown[] };
    link = cause ?? lastError ?? (Array.isArray(errors) ? errors[0] : undefined);
  }
  return links.length === 0 ? [new Error(String(error))] : links;
}

function messageOf(link: object): string {
  const { message, data } = link as { message?: unknown; data?: { message?: unknown } };
  if (typeof message === "string" && message !== "") return message;
  return typeof data?.message === "string" ? data.message : "";
}

/** By its header, in seconds, milliseconds or as a date. */
function retryAfter(error: unknown): number | undefined {
  const headers = APICallError.isInstance(error) ? error.responseHeaders : undefined;
  const milliseconds = Number(headers?.["retry-after-ms"]);
  if (headers?.["retry-after-ms"] && Number.isFinite(milliseconds)) return milliseconds;
  const text = headers?.["retry-after"];
  if (!text) return undefined;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return seconds * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

function sentence(text: string): string {
  return `${trimEndOf(text, /[.\s]/)}.`;
}
