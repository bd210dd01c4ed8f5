/** Repeats a request after a passing failure, and says so each time. Waiting can be stopped. */
import { setTimeout } from "node:timers/promises";
import type { WireEvent } from "../wire.ts";
import type { ChosenModel } from "./create-model.ts";
import { explainFailure } from "./explain-failure.ts";
import { TurnFailure } from "./turn-failure.ts";

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;
/** Who wants to be left alone for longer is asked again by a person. */
const MAX_RETRY_AFTER_MS = 60_000;

export interface RetryOptions {
  readonly model: ChosenModel;
  readonly maxRetries: number;
  readonly signal: AbortSignal;
  emit(event: WireEvent): Promise<void>;
  /** Takes back what a failed attempt has said. */
  discard(error: unknown): Promise<void>;
}

/** Throws `TurnFailure` when trying again does not help, and the signal's reason when it is aborted. */
export async function withRetries<Result>(
  { model, maxRetries, signal, emit, discard }: RetryOptions,
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (signal.aborted) throw error;
      const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
      const { failure, what, isRetryable, retryAfterMs, notice } = explainFailure(cause, model);
      const waitMs = retryAfterMs ?? Math.min(FIRST_DELAY_MS * 2 ** retries, MAX_DELAY_MS);
      await discard(error);
      if (!isRetryable || retries >= maxRetries) throw failure;
      if (waitMs > MAX_RETRY_AFTER_MS) {
        const seconds = Math.ceil(waitMs / 1000);
        throw new TurnFailure(failure.code, `${failure.message} It asks to wait ${seconds} seconds.`);
      }
      const reason = `${what} Trying again in ${Math.ceil(waitMs / 1000)} s (${retries + 1} of ${maxRetries}).`;
      await emit({ event: "retry", attempt: retries + 1, of: maxRetries, waitMs, code: notice, reason });
      await setTimeout(waitMs, undefined, { signal });
    }
  }
}
