/** By which of its methods an agent takes up a session, and whether it is gone for good. */
import type { RpcError } from "../transport/json-rpc.ts";
import { errorText } from "./error-text.ts";
import { type JsonObject, objectOf } from "./untyped.ts";
import { ERROR_CODE, METHOD } from "./wire.ts";

/** Half of the agents have words of their own for it. */
const LOST =
  /\b(unknown|invalid|no such|no previous) (session|thread|conversation)|\b(session|thread|conversation)\b.* not found|no rollout found/i;

/** `session/resume` tells nothing again, so it is taken where both are offered. Undefined where none is. */
export function resumeMethod(capabilities: JsonObject): string | undefined {
  const { resume } = objectOf(capabilities.sessionCapabilities);
  if (resume !== undefined && resume !== null) return METHOD.resumeSession;
  return capabilities.loadSession === true ? METHOD.loadSession : undefined;
}

/** Whether the agent refused because it has no such session. What else it may refuse for, may pass. */
export function saysLost(error: RpcError): boolean {
  if (error.code === ERROR_CODE.resourceNotFound || LOST.test(errorText(error))) return true;
  const { code, service } = objectOf(error.data);
  // Grok names the file it did not find. OpenCode says no more than that its store of sessions refused.
  return code === "FS_NOT_FOUND" || service === "session";
}
