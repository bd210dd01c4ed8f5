/** Why an ACP agent could not be used, with what helps. */
import { InterlinguaError } from "../../core/error.ts";
import type { AcpAgent } from "./agent.ts";
import { NOT_SIGNED_IN } from "./inbound/opening.ts";

/** Gives other errors back as they are. */
export function explainFailure(error: unknown, { signIn }: AcpAgent): unknown {
  if (!InterlinguaError.isInstance(error) || error.code !== "agent_failed") return error;
  if (!error.message.includes(NOT_SIGNED_IN)) return error;
  return new InterlinguaError("agent_not_signed_in", `${error.message} ${signIn}`, { cause: error });
}
