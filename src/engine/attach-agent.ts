/** Opens the native session: takes up the earlier conversation where there is one, else begins a new one and says so. */
import type { BackendAdapter, BackendSession, ConnectOptions } from "../core/adapter.ts";
import { type ErrorCode, InterlinguaError } from "../core/error.ts";
import type { SessionState } from "../core/session-state.ts";
import { errorText } from "./error-text.ts";
import type { SecretMask } from "./secret-mask.ts";

/** Why an agent cannot be used at all, whatever the conversation. */
const UNUSABLE: ReadonlySet<ErrorCode> = new Set([
  "agent_not_installed",
  "agent_not_signed_in",
  "agent_version",
]);

/** A start can fail for reasons that pass, while a conversation that is given up is lost for good. */
const RESUME_ATTEMPTS = 2;

export interface Attachment {
  session: BackendSession;
  resumed: boolean;
  /** Why the earlier conversation could not be taken up. */
  resumeProblem?: string;
}

export interface AttachOptions {
  environment?: Record<string, string>;
  /** Knows what the log has only placeholders for. */
  mask: SecretMask;
  signal: AbortSignal;
}

/** Rejects when the agent cannot be had or the signal is aborted; a session that comes too late is closed. */
export async function attachAgent(
  adapter: BackendAdapter,
  state: SessionState,
  { environment, mask, signal }: AttachOptions,
): Promise<Attachment> {
  const options: ConnectOptions & { signal: AbortSignal } = {
    sessionId: state.id,
    cwd: state.cwd,
    model: state.model,
    mode: state.mode,
    permissionMode: state.permissionMode,
    mcpServers: mask.reveal(state.mcpServers),
    adapterOptions: mask.reveal(state.options),
    environment,
    signal,
  };
  if (state.agentSessionId === undefined) return { session: await connect(adapter, options), resumed: false };
  if (!adapter.capabilities.resume) {
    const resumeProblem = `${adapter.name} cannot take up an earlier conversation`;
    return { session: await connect(adapter, options), resumed: false, resumeProblem };
  }
  const resumption = { ...options, resume: true, agentSessionId: state.agentSessionId };
  let problem: unknown;
  for (let attempt = 1; attempt <= RESUME_ATTEMPTS; attempt += 1) {
    try {
      return { session: await connect(adapter, resumption), resumed: true };
    } catch (error) {
      signal.throwIfAborted();
      // A new conversation would fare no better.
      if (InterlinguaError.isInstance(error) && UNUSABLE.has(error.code)) throw error;
      problem = error;
    }
  }
  return { session: await connect(adapter, options), resumed: false, resumeProblem: errorText(problem) };
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
