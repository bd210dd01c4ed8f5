/** Whose content a message is: the session's own thread, a sub-agent's, or that of somebody else. */
import type { CodexState } from "../conversation-state.ts";

/** Empty for the session's own thread. */
export interface Origin {
  readonly parent?: string;
  readonly task?: string;
}

const OWN: Origin = {};

/** Undefined for a thread that is none of ours. Where no thread is named, it is about all of them. */
export function originOf(state: CodexState, thread: string | undefined): Origin | undefined {
  if (thread === undefined || thread === state.thread) return OWN;
  const agent = state.agents.get(thread);
  return agent && { parent: agent.call, task: thread };
}
