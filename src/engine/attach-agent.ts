/** Opens the native session: takes up the earlier conversation where there is one, else begins a new one and says so. */
import type { BackendAdapter, BackendSession, ConnectOptions } from "../core/adapter.ts";
import { type ErrorCode, InterlinguaError } from "../core/error.ts";
import type { SessionState } from "../core/session-state.ts";
import { errorText } from "./error-text.ts";
import type { StartSettings } from "./session-secrets.ts";

/** A start can fail for reasons that pass at once, and a turn that failed over it has to be asked for again. */
const RESUME_ATTEMPTS = 2;

export interface Attachment {
  session: BackendSession;
  resumed: boolean;
  /** Why the earlier conversation could not be taken up. */
  resumeProblem?: string;
}

export interface AttachOptions {
  environment?: Record<string, string>;
  settings: StartSettings;
  signal: AbortSignal;
}

/** Rejects when the agent cannot be had or the signal is aborted; a session that comes too late is closed. */
export async function attachAgent(
  adapter: BackendAdapter,
  state: SessionState,
  { environment, settings, signal }: AttachOptions,
): Promise<Attachment> {
  const options: ConnectOptions & { signal: AbortSignal } = {
    sessionId: state.id,
    cwd: state.cwd,
    ...settings,
    environment,
    signal,
  };
  if (state.agentSessionId === undefined) return { session: await connect(adapter, options), resumed: false };
  if (!adapter.capabilities.resume) {
    const resumeProblem = `${adapter.name} cannot take up an earlier conversation`;
    return { session: await connect(adapter, options), resumed: false, resumeProblem };
  }
  const resumption = { ...options, resume: true, agentSessionId: state.agentSessionId };
  try {
    return { session: await resume(adapter, resumption), resumed: true };
  } catch (error) {
    if (codeOf(error) !== "conversation_lost") throw error;
    return { session: await connect(adapter, options), resumed: false, resumeProblem: errorText(error) };
  }
}

/** Tries again what may have failed in passing. A conversation that is not lost is kept for the next prompt. */
async function resume(
  adapter: BackendAdapter,
  options: ConnectOptions & { signal: AbortSignal },
): Promise<BackendSession> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await connect(adapter, options);
    } catch (error) {
      options.signal.throwIfAborted();
      if (codeOf(error) !== "agent_failed") throw error;
      if (attempt < RESUME_ATTEMPTS) continue;
      const detail = `${errorText(error).replace(/\.?$/, ".")} The conversation is kept: the next prompt tries to take it up.`;
      throw new InterlinguaError("agent_failed", detail, { cause: error });
    }
  }
}

/** Errors without a code come from the start itself. */
function codeOf(error: unknown): ErrorCode {
  return InterlinguaError.isInstance(error) ? error.code : "agent_failed";
}

function connect(
  adapter: BackendAdapter,
  options: ConnectOptions & { signal: AbortSignal },
): Promise<BackendSession> {
  const { signal } = options;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) return abort();
    adapter.connect(options).then((session) => {
      signal.removeEventListener("abort", abort);
      if (!signal.aborted) return resolve(session);
      // Nobody waits for it any more. What cannot be ended now, the daemon ends when it stops.
      session.close().catch(() => {});
    }, reject);
  });
}
