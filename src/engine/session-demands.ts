/** What a command demands of its session; each throws the refusal a client gets when it is not so. */
import { MOST_ENVIRONMENT_NAMES } from "../core/environment.ts";
import { InterlinguaError } from "../core/error.ts";
import type { SessionState } from "../core/session-state.ts";
import type { AgentSeat } from "./agent-seat.ts";
import type { SendPrompt } from "./engine.ts";

export function demandOpen(state: SessionState, isEnding: boolean): void {
  if (!state.closed && !isEnding) return;
  const detail = "The session is closed; its log can still be read. Create a new one.";
  throw new InterlinguaError("session_closed", detail);
}

export function demandNoTurn(state: SessionState): void {
  if (state.turn) throw new InterlinguaError("session_busy", "A turn is running. Interrupt it first.");
}

export function demandQueued(state: SessionState, message: string): void {
  if (state.queue.some((queued) => queued.message === message)) return;
  const detail = `Message "${message}" is not waiting: it has begun, was withdrawn or never was.`;
  throw new InterlinguaError("message_not_queued", detail);
}

export function demandEnvironment({ id, env }: SessionState, seat: AgentSeat): void {
  if (!seat.isEnvironmentMissing) return;
  const remedy = `PATCH /v1/sessions/${id} with {"env": {…}} and send it again.`;
  throw new InterlinguaError(
    "env_required",
    `The values of ${env?.join(", ")} are not kept on disk. ${remedy}`,
  );
}

/** A running agent keeps the values it has, so those that are added count on top. */
export function demandEnvironmentSize({ env = [] }: SessionState, added: Record<string, string>): void {
  const names = new Set([...env, ...Object.keys(added)]);
  if (names.size <= MOST_ENVIRONMENT_NAMES) return;
  const message = `may have at most ${MOST_ENVIRONMENT_NAMES} names in one session`;
  throw new InterlinguaError("invalid_request", `env ${message}. Create a new session.`, {
    errors: [{ path: "env", message }],
  });
}

/** That the agent can do what the prompt wants of it. */
export function demandAcceptable(
  prompt: SendPrompt,
  state: SessionState,
  seat: AgentSeat,
  isBusy: boolean,
): void {
  const { steer, images } = seat.capabilities;
  if (isBusy && prompt.whenBusy === "reject") {
    throw new InterlinguaError("session_busy", 'A turn is running. Wait for it, or send whenBusy: "queue".');
  }
  if (prompt.whenBusy === "steer" && !steer) {
    throw new InterlinguaError("unsupported", `${state.agent} cannot be steered. Send whenBusy: "queue".`);
  }
  if (!images && prompt.parts.some((part) => part.type === "file")) {
    throw new InterlinguaError(
      "unsupported",
      `${state.agent} takes text only. Send the prompt without files.`,
    );
  }
}
