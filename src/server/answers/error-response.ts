/** Errors become RFC 9457 problem documents here, and nowhere else. */
import { HTTPException } from "hono/http-exception";
import { ERROR_CODES, type ErrorCode, InterlinguaError } from "../../core/error.ts";
import type { Problem } from "../../protocol/schemas/problem.ts";

export interface ProblemResponse {
  status: number;
  headers: Record<string, string>;
  body: Problem;
}

/** The client sees no details of an unexpected error: the log has them. */
export function problemResponse(error: unknown): ProblemResponse {
  const known = asInterlinguaError(error);
  const { errors, agents, answer, paths, session, retryAfterSeconds } = known.extras;
  return {
    status: known.status,
    headers: {
      "content-type": "application/problem+json",
      ...(known.code === "unauthorized" && { "www-authenticate": 'Bearer realm="interlingua"' }),
      ...(retryAfterSeconds !== undefined && { "retry-after": String(Math.ceil(retryAfterSeconds)) }),
      // The rest of the body is not read.
      ...(known.code === "body_too_large" && { connection: "close" }),
    },
    body: {
      type: `urn:interlingua:error:${known.code}`,
      title: ERROR_CODES[known.code].title,
      status: known.status,
      detail: known.message,
      code: known.code,
      errors: errors && [...errors],
      agents: agents && [...agents],
      paths: paths && [...paths],
      session,
      answer,
    },
  };
}

/** Whether the daemon is at fault, so that its log should have it. */
export function isUnexpected(error: unknown): boolean {
  return asInterlinguaError(error).code === "internal";
}

const HTTP_CODES: Partial<Record<number, ErrorCode>> = { 400: "invalid_request", 404: "not_found" };

function asInterlinguaError(error: unknown): InterlinguaError {
  if (InterlinguaError.isInstance(error)) return error;
  const code = error instanceof HTTPException ? HTTP_CODES[error.status] : undefined;
  if (code)
    return new InterlinguaError(code, (error as HTTPException).message || "The request is not valid.");
  return new InterlinguaError(
    "internal",
    "The daemon failed to handle this request. Its log says why; trying again may help.",
    { cause: error },
  );
}
