/** Ends an agent but not what it started, for a session that only goes idle. */
import { setTimeout as sleep } from "node:timers/promises";
import type { AgentProcess } from "../../process/process-host.ts";

const GRACE_MS = 500;

/** Closes its input, then SIGTERM, then SIGKILL. Resolves when the agent is gone. */
export async function endAgentOnly(agent: AgentProcess): Promise<void> {
  agent.closeInput();
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    if (await exitsWithin(agent, GRACE_MS)) return;
    kill(agent.pid, signal);
  }
  await agent.exited;
}

async function exitsWithin(agent: AgentProcess, milliseconds: number): Promise<boolean> {
  const waiting = new AbortController();
  const timeout = sleep(milliseconds, false, { signal: waiting.signal }).catch(() => false);
  const exited = await Promise.race([agent.exited.then(() => true), timeout]);
  waiting.abort();
  return exited;
}

function kill(pid: number, signal: NodeJS.Signals): void {
  // 0 would be our own group.
  if (pid <= 0) return;
  try {
    process.kill(pid, signal);
  } catch {
    // It exited in the meantime.
  }
}
