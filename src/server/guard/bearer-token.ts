/** The token in a request, and the refusal of a wrong one. */
import { InterlinguaError } from "../../core/error.ts";

const CREDENTIALS = /^(?:bearer|token)\s+(\S+)\s*$/i;

/** The token in an `Authorization` header; empty if there is none. */
export function tokenIn(authorization: string | undefined): string {
  return CREDENTIALS.exec(authorization ?? "")?.[1] ?? "";
}

/** One sentence for all: it does not tell whether a token ever was one. */
export function unauthorized(): InterlinguaError {
  return new InterlinguaError(
    "unauthorized",
    'Send the token of this daemon as "Authorization: Bearer …". It stands in the link printed at the start and in the token file. One that was made for you may be mistyped, revoked or expired: ask whoever gave it to you.',
  );
}
