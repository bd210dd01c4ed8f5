/** Limits a start in time, for callers of an adapter who have no limit of their own. */
import { DEFAULT_START_TIMEOUT_MS, startTimeoutError } from "../../core/start-timeout.ts";

export interface StartLimit extends Disposable {
  /** Aborted with the reason when the time is over, and when the caller's signal is aborted. */
  readonly signal: AbortSignal;
}

/** `agent` is how people call it. */
export function startLimit(
  agent: string,
  { signal: own, ms = DEFAULT_START_TIMEOUT_MS }: { signal?: AbortSignal; ms?: number } = {},
): StartLimit {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(startTimeoutError(agent, ms)), ms);
  const signal = own ? AbortSignal.any([own, late.signal]) : late.signal;
  return { signal, [Symbol.dispose]: () => clearTimeout(timer) };
}
