/**
 * What a session does next, decided from its state and from what only its daemon knows. Pure:
 * `src/engine/session/session-steps.ts` carries the step out and asks again when something has changed.
 */
import { nextPrompt, type QueuedPrompt, type SessionState } from "./session-state.ts";

/** What the daemon knows of a session beside its log. Where it depends on a prompt, that is the one `nextPrompt` gives. */
export interface SessionFacts {
  /** The session is being closed, or the daemon is stopping. */
  readonly isEnding: boolean;
  /** The session is about to go to another node. */
  readonly isDraining: boolean;
  /** With `log` this node may end what is open in the log. Nothing begins here. */
  readonly access: "full" | "log";
  /** Values of the session's environment have to be given again. */
  readonly isEnvironmentMissing: boolean;
  readonly agent: "absent" | "starting" | "ready" | "ending";
  /** The message of a prompt that is known to be impossible: it gets a failed turn. */
  readonly impossible?: string;
  /** The agent's own turn that a prompt may preempt: it has fallen silent. */
  readonly preemptible?: string;
  /** Daemons may have died of the prompt. Then it waits in a line with other such prompts. */
  readonly retry: "none" | "due" | "waiting";
  /** Whether the agent works with the settings of the prompt, or without a prompt with those of the session. */
  readonly settings: "applied" | "due" | "changing";
  /** Where the content of the prompt is. */
  readonly content: "memory" | "log" | "reading";
  /** The checkpoint of the files before the prompt; `done` also where none is needed. */
  readonly checkpoint: "done" | "due" | "running";
}

/** What a session waits for. When it comes, the loop asks again. */
export type Awaited =
  | "access"
  | "agent"
  | "checkpoint"
  | "content"
  | "drain"
  | "end"
  | "environment"
  | "restore"
  | "retry"
  | "settings"
  /** The end of the agent's own turn, or its silence. */
  | "silence"
  | "turn";

export type NextStep =
  | { readonly type: "wait"; readonly for: Awaited }
  /** No prompt may begin, and the agent has nothing to do. */
  | { readonly type: "idle" }
  /** Gives the agent the settings of the prompt, or without one those of the session. */
  | { readonly type: "configure"; readonly prompt?: QueuedPrompt }
  /** A prompt that cannot begin gets a failed turn. The other types are the steps of a prompt on its way to the agent. */
  | {
      readonly type: "fail" | "retry" | "connect" | "read" | "checkpoint" | "dispatch";
      readonly prompt: QueuedPrompt;
    }
  /** Dispatches the prompt, which ends the agent's own turn. */
  | { readonly type: "preempt"; readonly prompt: QueuedPrompt; readonly turn: string };

/**
 * The next step of a session.
 *
 * @example
 * nextStep(emptyState("demo"), facts); // => { type: "idle" }
 */
export function nextStep(state: SessionState, facts: SessionFacts): NextStep {
  const prompt = nextPrompt(state);
  const { turn } = state;
  if (state.closed) return wait("end");
  if (state.restore) return wait("restore");
  // Another prompt may have begun since: its turn is left alone, and this one is tried again after it.
  const isPossible = prompt?.message !== facts.impossible || turn?.origin === "user";
  if (prompt && !isPossible) return { type: "fail", prompt };
  const obstacle = findObstacle(facts);
  if (obstacle) return wait(obstacle);
  if (turn && !prompt) return wait("turn");
  if (turn && turn.id !== facts.preemptible) return wait(turn.origin === "agent" ? "silence" : "turn");
  if (prompt && facts.retry === "due") return { type: "retry", prompt };
  if (prompt && facts.retry === "waiting") return wait("retry");
  if (facts.settings === "changing") return wait("settings");
  if (!prompt) return betweenTurns(facts);
  return stepOf(prompt, facts, turn?.id);
}

/** Why nothing begins, whatever waits. */
function findObstacle(facts: SessionFacts): Awaited | undefined {
  if (facts.isEnding) return "end";
  if (facts.agent === "ending") return "agent";
  if (facts.isEnvironmentMissing) return "environment";
  if (facts.isDraining) return "drain";
  return facts.access === "log" ? "access" : undefined;
}

/** The settings that a prompt had for its turn are restored. */
function betweenTurns({ agent, settings }: SessionFacts): NextStep {
  return agent === "ready" && settings === "due" ? { type: "configure" } : { type: "idle" };
}

/** The checkpoint is the last thing before the agent gets the prompt: what changes after it is not in it. */
function stepOf(prompt: QueuedPrompt, facts: SessionFacts, turn: string | undefined): NextStep {
  const { agent, settings, content, checkpoint } = facts;
  if (agent === "absent") return { type: "connect", prompt };
  if (agent !== "ready") return wait("agent");
  if (settings === "due") return { type: "configure", prompt };
  if (content === "reading") return wait("content");
  if (content === "log") return { type: "read", prompt };
  if (checkpoint === "running") return wait("checkpoint");
  if (checkpoint === "due") return { type: "checkpoint", prompt };
  return turn === undefined ? { type: "dispatch", prompt } : { type: "preempt", prompt, turn };
}

function wait(awaited: Awaited): NextStep {
  return { type: "wait", for: awaited };
}
