/** Waits until an agent that was just connected has said that it is attached, or says so in its place. */

import type { SessionLog } from "../session/session-log.ts";
import type { AgentMailbox } from "./agent-mailbox.ts";
import { exitText } from "./exit-text.ts";
import type { OutputIntake } from "./output-intake.ts";

/** How often an agent that has nothing more to say is asked. */
const ROUNDS = 3;

interface SettleInOptions {
  mailbox: Pick<AgentMailbox, "isOver">;
  intake: Pick<OutputIntake, "taking" | "exit">;
  /** Whether it took up the earlier conversation. */
  resumed: boolean;
  /** The id of the conversation where the adapter, and not the agent, names it. */
  agentSessionId?: string;
}

/**
 * Agents that report `session.attached` while connecting have done so by now; for the others it is added. Rejects if the
 * agent is gone.
 */
export async function settleIn(
  log: SessionLog,
  { mailbox, intake, resumed, agentSessionId }: SettleInOptions,
): Promise<void> {
  const { state } = log;
  for (let round = 0; round < ROUNDS && !state.attached && !mailbox.isOver; round += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    if (!intake.taking) continue;
    await intake.taking;
    round = -1;
  }
  if (mailbox.isOver) {
    const { code, signal, stderr } = intake.exit;
    throw new Error(exitText(code, signal, stderr));
  }
  const isNews = agentSessionId !== undefined && agentSessionId !== state.agentSessionId;
  const named = isNews && { agentSessionId };
  if (!state.attached)
    log.act((machine) => machine.apply({ type: "session.attached", ...(resumed && { resumed }), ...named }));
  else if (isNews) log.act((machine) => machine.apply({ type: "session.updated", agentSessionId }));
}
