/** Why an invitation could not be taken up, for whoever follows its link. */
import { InterlinguaError } from "../../../src/sdk/error.ts";
import { messageOf } from "../api/error-text.ts";

export interface JoinProblem {
  title: string;
  /** With what to do. */
  text: string;
  /** Another try with the same link cannot succeed. */
  isFinal: boolean;
}

const FINAL: Readonly<Record<string, string>> = {
  invitation_used: "This invitation was used before",
  invitation_expired: "This invitation has expired",
  invitation_not_found: "This invitation does not exist any more",
};

export function joinProblem(error: unknown): JoinProblem {
  const title = InterlinguaError.is(error) ? FINAL[error.code] : undefined;
  return { title: title ?? "It did not work", text: messageOf(error), isFinal: title !== undefined };
}
