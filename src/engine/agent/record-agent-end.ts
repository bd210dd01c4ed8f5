/** What the log says when an agent is gone: how its turn ended, and why it left. */
import type { SessionMachine } from "../../core/session-machine.ts";
import type { SecretMask } from "../secrets/secret-mask.ts";
import type { ConnectionState } from "./connection-state.ts";
import { exitText } from "./exit-text.ts";
import type { OutputIntake } from "./output-intake.ts";

type AgentEnd = NonNullable<OutputIntake["exit"]> &
  Pick<ConnectionState, "closing" | "killed"> & {
    /** Why reading it failed. */
    error: unknown;
    mask: Pick<SecretMask, "text">;
  };

export function recordAgentEnd(machine: SessionMachine, end: AgentEnd): void {
  const { code, signal, stderr, isLost, closing, killed, error, mask } = end;
  const isClean = killed !== undefined || ((code === 0 || isLost === true) && !machine.state.turn);
  if (closing) machine.endTurn("interrupted", closing.error);
  if (killed) machine.endTurn("interrupted", killed);
  const message = mask.text(isLost ? lostText(stderr) : exitText(code, signal, stderr, error));
  machine.endTurn("failed", { code: isLost ? "agent_disconnected" : "agent_exited", message });
  const reason = closing?.reason ?? (isClean ? "exit" : "crash");
  machine.detach(reason, { code: code ?? null, signal: signal ?? null });
}

function lostText(reason = "The connection to the agent was lost."): string {
  return `${reason} The agent may still be at work there; what it did since is not known. The next prompt connects again.`;
}
