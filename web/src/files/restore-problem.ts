/** Why files cannot go back, in words of the page. */
import { InterlinguaError } from "../../../src/sdk/error.ts";
import { messageOf } from "../api/error-text.ts";

export function restoreProblem(error: unknown): string {
  if (InterlinguaError.is(error, "workspace_busy"))
    return "An agent works in this directory, or waits for an answer. Stop it, or wait until its turn has ended.";
  return messageOf(error);
}
