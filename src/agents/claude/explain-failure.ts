/** What Claude Code says when it will not start, as an error that says what to do. */
import { type ErrorCode, InterlinguaError } from "../../core/error.ts";
import type { FoundProgram } from "../../core/program.ts";
import { BYPASS_AS_ROOT } from "./environment.ts";
import { NOT_SIGNED_IN } from "./inbound/opening.ts";
import { INSTALL_COMMAND, OLDEST_VERSION, signInRemedy } from "./program.ts";

interface Explanation {
  readonly said: RegExp;
  readonly code: ErrorCode;
  readonly detail: string;
}

const EXPLANATIONS: readonly Explanation[] = [
  { said: /cannot be used with root\/sudo privileges/, code: "agent_failed", detail: BYPASS_AS_ROOT },
  {
    said: /No conversation found with session ID/,
    code: "conversation_lost",
    detail: "Claude Code has no such conversation any more.",
  },
  {
    said: /error: unknown option/,
    code: "agent_version",
    detail: `This Claude Code does not know a flag it was started with. Versions from ${OLDEST_VERSION} do. Run \`${INSTALL_COMMAND}\` for one that does, or \`claude update\`.`,
  },
];

/** The error itself where nothing is known about it. */
export function explainFailure(error: unknown, program: FoundProgram): unknown {
  if (!InterlinguaError.isInstance(error) || error.code !== "agent_failed") return error;
  if (error.message.includes(NOT_SIGNED_IN)) {
    const detail = `Nobody is signed in to Claude Code. ${signInRemedy(program)}`;
    return new InterlinguaError("agent_not_signed_in", detail);
  }
  const known = EXPLANATIONS.find(({ said }) => said.test(error.message));
  if (!known) return error;
  // None of them is about the conversation but that it is lost.
  return new InterlinguaError(known.code, known.detail, { cause: error, keepsConversation: true });
}
