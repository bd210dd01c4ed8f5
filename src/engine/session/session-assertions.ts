/** Preconditions of commands on a session. Each throws the refusal that the client gets. */
import { MAX_ENVIRONMENT_NAMES } from "../../core/environment.ts";
import { InterlinguaError } from "../../core/error.ts";
import { type QueuedPrompt, queuedBytes, type SessionState } from "../../core/session-state.ts";
import type { SendPrompt } from "../../protocol/commands/command-types.ts";
import { agentElsewhere, filesElsewhere, messageNotQueued } from "../../protocol/refusals.ts";
import type { AgentConnection } from "../agent/agent-connection.ts";
import type { EngineLimits } from "../limits.ts";
import type { SessionLog } from "./session-log.ts";

export function assertOpen(state: SessionState, isEnding: boolean): void {
  if (!state.closed && !isEnding) return;
  const detail = "The session is closed; its log can still be read. Create a new one.";
  throw new InterlinguaError("session_closed", detail);
}

/** Asserts that the files and the agent of the session are here, as far as is known. */
export function assertNothingMissing(log: SessionLog): void {
  const missing = findMissing(log);
  if (missing) throw missing;
}

/** Why nothing can begin in the session: this node has log-only access. */
export function findMissing({ access, state }: SessionLog): InterlinguaError | undefined {
  if (access.missing === "files") return filesElsewhere(state.id, access.node);
  return access.missing === "agent" ? agentElsewhere(state.id, state.agent) : undefined;
}

export function assertNoTurn(state: SessionState): void {
  if (state.turn) throw new InterlinguaError("session_busy", "A turn is running. Interrupt it first.");
}

export function requireQueued(state: SessionState, message: string): QueuedPrompt {
  const prompt = state.queue.find((queued) => queued.message === message);
  if (prompt) return prompt;
  throw messageNotQueued(message);
}

/** Asserts that not too many prompts wait, steered ones included. */
export function assertQueueLength({ queue, turn }: SessionState, { maxQueuedPrompts }: EngineLimits): void {
  const count = queue.length + Math.max(turn?.steered.length ?? 0, turn?.unconfirmed.length ?? 0);
  if (count >= maxQueuedPrompts) throw queueFull(`${count} prompts of this session wait`, "maxQueuedPrompts");
}

const SMALL_PROMPT = 64 * 1024;

/** Asserts that waiting prompts may grow by this much. A single prompt always fits. */
export function assertQueueSpace(
  state: SessionState,
  bytes: number,
  waitingInAll: number,
  limits: EngineLimits,
): void {
  const waiting = queuedBytes(state);
  if (waiting > 0 && waiting + bytes > limits.maxQueuedBytes) {
    const detail = `The prompts of this session that wait have ${waiting} characters, and there would be ${bytes} more`;
    throw queueFull(detail, "maxQueuedBytes");
  }
  // A session in which nothing waits is not blocked by the others, unless its prompt is large.
  if (waiting === 0 && bytes <= SMALL_PROMPT) return;
  if (waitingInAll > 0 && waitingInAll + bytes > limits.maxQueuedBytesInAll) {
    const detail = `The prompts of all sessions that wait have ${waitingInAll} characters, and there would be ${bytes} more`;
    throw queueFull(detail, "maxQueuedBytesInAll");
  }
}

function queueFull(detail: string, limit: keyof EngineLimits): InterlinguaError {
  const remedy = `Send it again when some have run, withdraw some, or raise limits.${limit}.`;
  const errors = [{ path: "parts", message: "there is no room for it in the queue" }];
  return new InterlinguaError("queue_full", `${detail}. ${remedy}`, { errors, retryAfterSeconds: 10 });
}

export function assertEnvironment(
  { env }: SessionState,
  connection: Pick<AgentConnection, "isEnvironmentMissing">,
): void {
  if (!connection.isEnvironmentMissing) return;
  const remedy = "Give them to the session again as `env`, then send this again.";
  throw new InterlinguaError(
    "env_required",
    `The values of ${env?.join(", ")} are not kept on disk. ${remedy}`,
  );
}

/** A running agent keeps the values it has, so those that are added count on top. */
export function assertEnvironmentSize({ env = [] }: SessionState, added: Record<string, string>): void {
  const names = new Set([...env, ...Object.keys(added)]);
  if (names.size <= MAX_ENVIRONMENT_NAMES) return;
  const message = `may have at most ${MAX_ENVIRONMENT_NAMES} names in one session`;
  throw new InterlinguaError("invalid_request", `env ${message}. Create a new session.`, {
    errors: [{ path: "env", message }],
  });
}

/** Asserts that the agent can do what the prompt needs. */
export function assertAcceptable(
  prompt: SendPrompt,
  state: SessionState,
  connection: AgentConnection,
  isBusy: boolean,
): void {
  const { steer, images } = connection.capabilities;
  if (isBusy && prompt.whenBusy === "reject") {
    throw new InterlinguaError("session_busy", 'A turn is running. Wait for it, or send whenBusy: "queue".');
  }
  if (prompt.whenBusy === "steer" && !steer) {
    throw new InterlinguaError("unsupported", `${state.agent} cannot be steered. Send whenBusy: "queue".`);
  }
  if (prompt.whenBusy === "steer" && prompt.settings) {
    const detail = 'Settings hold for a whole turn: send the prompt without them, or with whenBusy: "queue".';
    throw new InterlinguaError("unsupported", detail);
  }
  if (!images && prompt.parts.some((part) => part.type === "file")) {
    throw new InterlinguaError(
      "unsupported",
      `${state.agent} takes text only. Send the prompt without files.`,
    );
  }
}
