/** The one error of the SDK. */

import type { Problem } from "./types.ts";

/** What only a client can find out: nobody answers, or a turn did not end well. */
type ClientCode = "unreachable" | "turn_failed" | "start_failed";

interface Details {
  /** Of the answer, where there was one. */
  readonly status?: number;
  /** The fields of the request that were wrong. */
  readonly errors?: Problem["errors"];
  /** Files it is about. */
  readonly paths?: Problem["paths"];
  /** The session that stands in the way. */
  readonly session?: Problem["session"];
  readonly cause?: unknown;
}

/**
 * A refusal of the daemon with its `code`, or one of `unreachable`, `turn_failed` and `start_failed`.
 *
 * @example
 * try {
 *   await client.sessions.get("notes");
 * } catch (error) {
 *   if (InterlinguaError.is(error, "session_not_found")) await client.sessions.create({ agent: "mock" });
 * }
 */
export class InterlinguaError extends Error {
  readonly code: Problem["code"] | ClientCode;
  readonly status?: number;
  readonly errors?: Problem["errors"];
  /** The files of a `workspace_conflict`. */
  readonly paths?: Problem["paths"];
  /** The session of a `workspace_busy`, where it may be seen. */
  readonly session?: Problem["session"];

  constructor(code: Problem["code"] | ClientCode, message: string, details: Details = {}) {
    super(message, { cause: details.cause });
    this.name = "InterlinguaError";
    this.code = code;
    this.status = details.status;
    this.errors = details.errors;
    this.paths = details.paths;
    this.session = details.session;
  }

  /** Whether it is one, with this code if one is named. By shape: two copies of the SDK know each other's errors. */
  static is(error: unknown, code?: InterlinguaError["code"]): error is InterlinguaError {
    if (!(error instanceof Error) || error.name !== "InterlinguaError") return false;
    return code === undefined || (error as InterlinguaError).code === code;
  }
}

/** The daemon's refusal as an error. */
export async function refusalOf(response: Response): Promise<InterlinguaError> {
  const { status, statusText } = response;
  const text = await response.text().catch(() => "");
  try {
    const { code, detail, title, errors, paths, session } = JSON.parse(text) as Problem;
    return new InterlinguaError(code, detail ?? title, { status, errors, paths, session });
  } catch {
    // Under /api/chat a refusal is the sentence alone; a proxy has pages of its own.
    const code = response.headers.get("x-interlingua-error") as Problem["code"] | null;
    const sentence = code === null ? `The daemon answered ${status} ${statusText}`.trim() : text;
    return new InterlinguaError(code ?? "internal", sentence, { status });
  }
}

/** The cause of an `unreachable` that will not pass: we closed the connection ourselves. */
export const CLOSED = new Error("the connection was closed");

export function unreachable(baseUrl: string, cause: unknown): InterlinguaError {
  return new InterlinguaError("unreachable", `No answer from ${baseUrl}: ${reasonOf(cause)}`, { cause });
}

/** The innermost cause: `fetch` hides it, sometimes in the first of several errors. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}
