/** What a person reads of an error. */
import { InterlinguaError } from "../../../src/sdk/error.ts";

/** Whether the request never got an answer. Browsers differ in what `fetch` throws, but it is a TypeError. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof TypeError || InterlinguaError.is(error, "unreachable");
}

/** Whether the daemon refused the token. A new token starts new connections. */
export function isUnauthorized(error: unknown): boolean {
  return InterlinguaError.is(error) && error.status === 401;
}

export function messageOf(error: unknown): string {
  if (isUnreachable(error)) return "Interlingua is not running, or cannot be reached.";
  return error instanceof Error ? error.message : String(error);
}
