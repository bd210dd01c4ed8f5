/**
 * Connects a session to its agent: installs it if that is needed and allowed, and resumes the earlier conversation, or
 * begins a new one and says so.
 */
import type {
  BackendAdapter,
  BackendSession,
  ConnectOptions,
  ConversationPlace,
} from "../../core/adapter.ts";
import type { Conversation } from "../../core/adapter-memory.ts";
import { type ErrorCode, InterlinguaError } from "../../core/error.ts";
import { errorText } from "../../core/error-text.ts";
import type { Message } from "../../core/message.ts";
import type { RawDraft } from "../../core/raw-record.ts";
import type { SessionState } from "../../core/session-state.ts";
import { startTimeoutError } from "../../core/start-timeout.ts";
import type { Services } from "../engine-services.ts";
import type { StartSettings } from "../secrets/session-secrets.ts";
import { installAgent } from "./install-agent.ts";

/** A start can fail for a passing reason, and a person would have to repeat the failed turn. */
const RESUME_ATTEMPTS = 2;
/** After this many prompts in a row whose resume failed, the agent begins a new conversation. */
const MAX_RESUME_FAILURES = 2;

export interface ConnectAgentOptions {
  environment: Record<string, string>;
  settings: StartSettings;
  services: Pick<Services, "agentSettings" | "limits" | "programs" | "workspace" | "checkpoints">;
  /** Called before the agent takes up a conversation, or copies one: it may have been held elsewhere. */
  restore?(conversation: Conversation, isCopied: boolean): Promise<void>;
  /** Where the agent's conversation goes on from a copy of another; undefined if it cannot. */
  fork?: ConversationPlace;
  /** The conversation so far, for an agent that begins a new one. */
  history(): AsyncIterable<Message>;
  /** Stops waiting. */
  abort: AbortController;
  /** Gets what the agent says while it starts. */
  observe(record: RawDraft): void;
  /** Gets the progress of an installation. */
  notice(text: string, data: unknown): void;
}

export interface ConnectedAgent {
  session: BackendSession;
  resumed: boolean;
  /** Why the earlier conversation could not be resumed. */
  resumeProblem?: string;
  /** The agent's own conversation began as a copy of another session's. */
  forked?: boolean;
  /** What it was started with. */
  options: ConnectOptions;
}

type Begun = Omit<ConnectedAgent, "options">;

type AbortableOptions = ConnectOptions & { signal: AbortSignal };

/**
 * Connecting has a time limit, an installation has none. Rejects if the agent cannot be started or `abort` is aborted;
 * a session that arrives too late is closed.
 */
export async function connectAgent(
  adapter: BackendAdapter,
  state: SessionState,
  { environment, settings, services, abort, observe, notice, fork, history, restore }: ConnectAgentOptions,
): Promise<ConnectedAgent> {
  const { signal } = abort;
  const { id: sessionId, cwd, checkpoints, checkpointObstacle } = state;
  const areOn = services.workspace !== undefined && services.checkpoints === "on" && checkpoints !== "off";
  const hasCheckpoints = areOn && !checkpointObstacle;
  const hasTitle = state.title !== undefined;
  const onStartRecord = observe;
  const options = {
    sessionId,
    cwd,
    hasTitle,
    hasCheckpoints,
    ...settings,
    environment,
    signal,
    onStartRecord,
  };
  const connect = () =>
    withConnectDeadline(abort, services, adapter.title ?? adapter.name, () =>
      state.agentMemory === "none"
        ? forkOrBegin(adapter, options, { fork, history, restore })
        : resumeOrBegin(adapter, state, options, { history, restore }),
    );
  const wanted = state.install ?? services.agentSettings[state.agent]?.install;
  try {
    return { ...(await connect()), options };
  } catch (error) {
    const isMissing = InterlinguaError.isInstance(error) && error.code === "agent_not_installed";
    if (!isMissing || !adapter.program || wanted !== "auto") throw error;
  }
  await installAgent(services.programs, adapter.program, { signal, notice });
  return { ...(await connect()), options };
}

export function withConnectDeadline<Result>(
  abort: AbortController,
  { limits }: Pick<Services, "limits">,
  agent: string,
  action: () => Promise<Result>,
): Promise<Result> {
  const { connectTimeoutMs: ms } = limits;
  return withDeadline(abort, { ms, late: startTimeoutError(agent, ms) }, action);
}

/** A new conversation, told about the earlier one where the adapter can do that. */
async function begin(
  adapter: BackendAdapter,
  options: AbortableOptions,
  history: () => AsyncIterable<Message>,
  resumeProblem?: string,
): Promise<Begun> {
  const told = adapter.takesHistory ? { ...options, history: history() } : options;
  return { session: await connect(adapter, told), resumed: false, resumeProblem };
}

async function forkOrBegin(
  adapter: BackendAdapter,
  options: AbortableOptions,
  { fork, history, restore }: Pick<ConnectAgentOptions, "fork" | "history" | "restore">,
): Promise<Begun> {
  if (!fork || !adapter.capabilities.fork) return begin(adapter, options, history);
  try {
    await restore?.({ ...options, agentSessionId: fork.agentSessionId }, true);
    return { session: await connect(adapter, { ...options, fork }), resumed: false, forked: true };
  } catch (error) {
    options.signal.throwIfAborted();
    const code = codeOf(error);
    if (code !== "conversation_lost" && code !== "agent_failed") throw error;
    return begin(adapter, options, history, errorText(error));
  }
}

async function resumeOrBegin(
  adapter: BackendAdapter,
  { agentSessionId, generation, resumeFailures = 0 }: SessionState,
  options: AbortableOptions,
  { history, restore }: Pick<ConnectAgentOptions, "history" | "restore">,
): Promise<Begun> {
  if (agentSessionId === undefined) {
    if (generation === 0 || (await isEmpty(history())))
      return { session: await connect(adapter, options), resumed: false };
    return begin(adapter, options, history, `${adapter.name} gave no id of that conversation`);
  }
  // It keeps no conversation of its own, so that nothing is lost.
  if (!adapter.capabilities.resume && adapter.takesHistory)
    return { ...(await begin(adapter, options, history)), resumed: true };
  if (!adapter.capabilities.resume)
    return begin(adapter, options, history, `${adapter.name} cannot take up an earlier conversation`);
  await restore?.({ ...options, agentSessionId }, false);
  try {
    return { session: await resume(adapter, { ...options, resume: true, agentSessionId }), resumed: true };
  } catch (error) {
    options.signal.throwIfAborted();
    if (codeOf(error) === "conversation_lost") return begin(adapter, options, history, errorText(error));
    if (codeOf(error) !== "agent_failed") throw error;
    if (keepsConversation(error) || resumeFailures + 1 < MAX_RESUME_FAILURES) throw keptConversation(error);
    const problem = `it could not be resumed for ${MAX_RESUME_FAILURES} prompts in a row. ${errorText(error)}`;
    return begin(adapter, options, history, problem);
  }
}

async function isEmpty(messages: AsyncIterable<Message>): Promise<boolean> {
  for await (const _ of messages) return false;
  return true;
}

/** The error of a prompt whose conversation is resumed with the next one. */
function keptConversation(cause: unknown): InterlinguaError {
  const reason = errorText(cause).replace(/\.?$/, ".");
  if (keepsConversation(cause)) {
    const detail = `${reason} The conversation is kept: the next prompt tries to take it up.`;
    return new InterlinguaError("agent_failed", detail, { cause });
  }
  const remedy =
    "Send the prompt again: if the agent cannot resume the conversation then either, it begins a new one with a written account of this one.";
  return new InterlinguaError("resume_failed", `${reason} ${remedy}`, { cause });
}

/** Whether the reason lies elsewhere than in the conversation. */
function keepsConversation(error: unknown): boolean {
  return InterlinguaError.isInstance(error) && error.extras.keepsConversation === true;
}

/** Retries what may have failed for a passing reason. */
async function resume(adapter: BackendAdapter, options: AbortableOptions): Promise<BackendSession> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await connect(adapter, options);
    } catch (error) {
      options.signal.throwIfAborted();
      if (codeOf(error) !== "agent_failed" || attempt >= RESUME_ATTEMPTS) throw error;
    }
  }
}

/** Errors without a code come from the start itself. */
function codeOf(error: unknown): ErrorCode {
  return InterlinguaError.isInstance(error) ? error.code : "agent_failed";
}

function connect(adapter: BackendAdapter, options: AbortableOptions): Promise<BackendSession> {
  const { signal } = options;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) return abort();
    adapter.connect(options).then((session) => {
      signal.removeEventListener("abort", abort);
      if (!signal.aborted) return resolve(session);
      // Nobody waits for it any more. What cannot be ended now ends with the daemon.
      session.close().catch(() => {});
    }, reject);
  });
}

/** Aborts `controller` with `late` if the action takes longer. The action itself has to react. */
async function withDeadline<Result>(
  controller: AbortController,
  { ms, late }: { ms: number; late: Error },
  action: () => Promise<Result>,
): Promise<Result> {
  const timer = setTimeout(() => controller.abort(late), ms);
  try {
    return await action();
  } finally {
    clearTimeout(timer);
  }
}
