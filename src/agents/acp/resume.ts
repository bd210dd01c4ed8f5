/** Which of the agent's sessions a connection takes up, and by which of its methods. */
import type { ConnectOptions } from "../../core/adapter.ts";
import { InterlinguaError } from "../../core/error.ts";
import { type JsonObject, objectOf } from "./loose.ts";
import { METHOD } from "./wire.ts";

/** Undefined for a new one. Whether it still exists, the agent says. */
export function sessionToResume(
  agent: string,
  { resume, agentSessionId }: ConnectOptions,
): string | undefined {
  if (!resume) return undefined;
  if (agentSessionId !== undefined) return agentSessionId;
  throw new InterlinguaError(
    "agent_failed",
    `${agent} cannot resume a conversation without its id; connect without \`resume\` to begin a new one.`,
  );
}

/** `session/resume` tells nothing again, so it is taken where both are offered. Undefined where none is. */
export function resumeMethod(capabilities: JsonObject): string | undefined {
  const { resume } = objectOf(capabilities.sessionCapabilities);
  if (resume !== undefined && resume !== null) return METHOD.resumeSession;
  return capabilities.loadSession === true ? METHOD.loadSession : undefined;
}
