/** The method by which an agent resumes a session, and whether an error means that the session is gone for good. */
import type { RpcError } from "../transport/json-rpc.ts";
import { rpcErrorText } from "./rpc-error-text.ts";
import { type JsonObject, objectOf } from "./untyped.ts";
import { ERROR_CODE, METHOD } from "./wire.ts";

/** Half of the agents have their own wording for it. */
const LOST =
  /\b(unknown|invalid|no such|no previous) (session|thread|conversation)|\b(session|thread|conversation)\b.* not found|no rollout found/i;

/** `session/resume` should not tell the history again, so it is preferred. Undefined if the agent offers neither. */
export function resumeMethod(capabilities: JsonObject): string | undefined {
  const { resume } = objectOf(capabilities.sessionCapabilities);
  if (resume !== undefined && resume !== null) return METHOD.resumeSession;
  return capabilities.loadSession === true ? METHOD.loadSession : undefined;
}

/** Whether the agent refused because it has no such session. Any other reason may be temporary. */
export function saysLost(error: RpcError): boolean {
  if (error.code === ERROR_CODE.resourceNotFound || LOST.test(rpcErrorText(error))) return true;
  const { code, service } = objectOf(error.data);
  // Grok names the file it did not find. OpenCode only says that its session store refused.
  return code === "FS_NOT_FOUND" || service === "session";
}
