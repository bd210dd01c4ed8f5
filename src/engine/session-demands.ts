/** What a command demands of its session; each throws the refusal a client gets when it is not so. */
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
