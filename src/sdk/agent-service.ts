/** An agent behind one call: a prompt and a directory in, a stream out. */
import { type AgentResult, AgentStream, type AgentStreamEvent } from "./agent-stream.ts";
import type { Client } from "./client.ts";
import { InterlinguaError } from "./error.ts";
import type { Prompt, PromptOptions } from "./prompt.ts";
import { askUntilAnswered } from "./retry.ts";
import type { Session } from "./session.ts";
import { stopPrompt } from "./stop-prompt.ts";
import type { CreateSession, EventOf, SessionDetails, UIMessageChunk } from "./types.ts";

/**
 * `claude-code` is another name for `claude`. `openai` and `anthropic-api` are agents without a program of their own: the
 * daemon works with the models of that provider. Else it is the name of an agent as the daemon knows it.
 */
export type AgentType = "claude-code" | "openai" | "anthropic-api" | (string & {});

/** What a new session is made with, and how the prompt is sent. */
export interface InvokeOptions
  extends Omit<CreateSession, "id" | "agent" | "cwd" | "settings">,
    Omit<PromptOptions, "include"> {
  /** Whether chunks come with the agent's own messages, as `rawAgentMessage` (default). */
  readonly raw?: boolean;
}

export interface AgentService<Chunk = UIMessageChunk> {
  /**
   * Sends the prompt at once. Without a `sessionId` it begins a session; with one it goes on with it, if that
   * is the agent's, or begins it under that id. `cwd` and what a session is made with count only where it begins.
   */
  invoke(prompt: string, cwd: string, sessionId?: string, options?: InvokeOptions): AgentStream<Chunk>;
  /** Another name for `invoke`. */
  invokeStream(prompt: string, cwd: string, sessionId?: string, options?: InvokeOptions): AgentStream<Chunk>;
}

type Connect = (cwd: string) => Client | Promise<Client>;

export function createService<Chunk extends { type: string } = UIMessageChunk>(
  type: AgentType,
  connect: Connect,
): AgentService<Chunk> {
  const agent = type === "claude-code" ? "claude" : type;

  function invoke(text: string, cwd: string, sessionId?: string, options: InvokeOptions = {}) {
    const { raw = true, id, whenBusy, settings, signal, onState, unreachableMs, ...wishes } = options;
    const session = openSession(connect, { ...wishes, id: sessionId, agent, cwd });
    const include = raw ? ("raw" as const) : undefined;
    const sending = { id, whenBusy, settings, signal, onState, unreachableMs, include };
    const prompt = session.then((opened) => opened.prompt(text, sending));
    prompt.catch(() => {});
    const stop = async () => stopPrompt(await session, (await (await prompt).accepted).message);
    return new AgentStream<Chunk>(session, () => readEvents(type, session, prompt, sending), stop);
  }
  return { invoke, invokeStream: invoke };
}

/** The one there is, or a new one. */
async function openSession(connect: Connect, wanted: CreateSession & { cwd: string }): Promise<Session> {
  const { sessions } = await connect(wanted.cwd);
  if (wanted.id === undefined) return sessions.create(wanted);
  const session = sessions.handle(wanted.id);
  try {
    assertSameAgent(await session.details(), wanted.agent);
    return session;
  } catch (error) {
    if (!InterlinguaError.is(error, "session_not_found")) throw error;
    return sessions.create(wanted);
  }
}

/** A conversation stays with its agent. */
function assertSameAgent({ id, agent }: SessionDetails, wanted: string): void {
  if (agent === wanted) return;
  const sentence = `Session "${id}" belongs to ${agent}. Begin a new one for ${wanted}.`;
  throw new InterlinguaError("session_exists", sentence);
}

async function* readEvents<Chunk extends { type: string }>(
  type: string,
  opening: Promise<Session>,
  sending: Promise<Prompt>,
  options: PromptOptions,
): AsyncGenerator<AgentStreamEvent<Chunk>, void> {
  try {
    const prompt = await sending;
    let message: string | undefined;
    for await (const chunk of prompt.uiMessageStream<Chunk>()) {
      if (chunk.type === "start") message ??= (chunk as { messageId?: string }).messageId;
      yield { type: "chunk", chunk, rawAgentMessage: rawAgentMessageOf(chunk) };
    }
    const session = await opening;
    // The turn is over, however long it takes to hear how.
    yield await askUntilAnswered(() => lastEvent<Chunk>(type, session, message), options);
  } catch (error) {
    yield { type: "error", error: error instanceof Error ? error : new Error(String(error)) };
  }
}

async function lastEvent<Chunk>(
  agentType: string,
  session: Session,
  message: string | undefined,
): Promise<AgentStreamEvent<Chunk>> {
  if (message === undefined) {
    const sentence = "The prompt was withdrawn, or the session closed, before its turn.";
    throw new InterlinguaError("turn_failed", sentence);
  }
  const [{ result }, { agentSessionId, model }] = await Promise.all([
    session.messageDetails(message, { include: "result" }),
    session.details(),
  ]);
  const { outcome, usage, cost, durationMs, waitedMs, error } = (result?.event ?? {}) as Partial<
    EventOf<"turn.ended">
  >;
  const agentResult: AgentResult = {
    ...{ agentType, sessionId: session.id, messageId: message, agentSessionId, model },
    ...{ outcome, usage, cost, durationMs, waitedMs },
    rawAgentMessage: agentMessageOf(result?.raw?.data),
  };
  if (outcome === undefined || outcome === "completed" || outcome === "interrupted") {
    return { type: "complete", agentResult };
  }
  const failure = new InterlinguaError("turn_failed", error?.message ?? `The turn ended as ${outcome}.`);
  return { type: "error", error: failure, agentResult };
}

/** Under the agent's name on chunks that have room for it; others, and those of large messages, have none. */
function rawAgentMessageOf(chunk: object): unknown {
  const { providerMetadata } = chunk as {
    providerMetadata?: Readonly<Record<string, { message?: unknown }>>;
  };
  return Object.values(providerMetadata ?? {}).find(({ message }) => message !== undefined)?.message;
}

/** What a raw record holds of the agent: its message, or the text where that is none. */
function agentMessageOf(data: unknown): unknown {
  if (typeof data !== "string") return undefined;
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
}
