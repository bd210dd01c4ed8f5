/** What Codex says when it will not open a thread, as an error that says what to do. */
import { type ErrorCode, InterlinguaError } from "../../core/error.ts";
import { INSTALL_COMMAND, PROGRAM } from "./program.ts";

interface Explanation {
  readonly said: RegExp;
  readonly code: ErrorCode;
  readonly detail: string;
  readonly keepsConversation?: true;
}

const EXPLANATIONS: readonly Explanation[] = [
  {
    said: /no rollout found for thread id|thread not found|invalid thread id/,
    code: "conversation_lost",
    detail: "Codex has no such conversation any more.",
  },
  {
    said: /already has an active writer/,
    code: "agent_failed",
    detail: "Another Codex has this conversation open. Close it there, then try again.",
    keepsConversation: true,
  },
  {
    said: /requires experimentalApi|unknown variant|unknown field/,
    code: "agent_version",
    detail: `This Codex does not know a request it was sent. Run \`${INSTALL_COMMAND}\` for ${PROGRAM.version}.`,
  },
];

/** The error itself where nothing is known about it. */
export function explainFailure(error: unknown): unknown {
  if (!InterlinguaError.isInstance(error) || error.code !== "agent_failed") return error;
  const known = EXPLANATIONS.find(({ said }) => said.test(error.message));
  if (!known) return error;
  const { code, detail, keepsConversation } = known;
  return new InterlinguaError(code, detail, { cause: error, keepsConversation });
}
