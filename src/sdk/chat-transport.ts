/**
 * A transport for `useChat` that knows what the daemon can do more than a chat endpoint: a response goes on after a broken
 * connection, and turns that began elsewhere are shown. Fits the `ChatTransport` of the AI SDK, versions 6 and 7, without
 * needing it.
 */
import { ChatSync, type FollowedChat } from "./chat-sync.ts";
import { InterlinguaError } from "./error.ts";
import type { HttpClient } from "./http.ts";
import { isPassing } from "./retry.ts";
import { Session } from "./session.ts";
import { stopPrompt } from "./stop-prompt.ts";
import type { UIMessageChunk } from "./types.ts";
import { readChunks } from "./ui-message-stream.ts";

export interface ChatTransportOptions {
  /** Fields of every request: `agent` and `cwd` of a new session, `model`, `mode`, `permissionMode`, `toolParts`, `whenBusy`. */
  readonly body?: Readonly<Record<string, unknown>>;
  /**
   * What `stop()` of the chat does: it leaves the response, and the turn runs on (default), or it stops the turn; a
   * prompt that waits is taken back.
   */
  readonly onStop?: "leave" | "interrupt";
}

interface ChatMessage {
  readonly id: string;
  readonly role: string;
}

interface SendOptions<Message> {
  readonly trigger: "submit-message" | "regenerate-message";
  readonly chatId: string;
  readonly messageId: string | undefined;
  readonly messages: readonly Message[];
  readonly abortSignal: AbortSignal | undefined;
  readonly body?: object;
}

interface ReconnectOptions {
  readonly chatId: string;
  readonly abortSignal?: AbortSignal;
}

/** A response that a chat asked for. */
interface Run {
  /** Its name; pending while it is being asked for. */
  readonly name: Promise<string | undefined>;
  /** It is not asked for again where nobody answers; its name then rejects with the reason. */
  giveUp(): void;
}

const EVENT_STREAM = "text/event-stream";
const RUN_HEADER = "x-workflow-run-id";

export class ChatTransport {
  /** A response that is taken up again comes from its beginning. */
  readonly resumeStreamIsReplay = true;
  readonly #http: HttpClient;
  readonly #options: ChatTransportOptions;
  /** By chat, the response it asked for last. */
  readonly #runs = new Map<string, Run>();

  constructor(http: HttpClient, options: ChatTransportOptions = {}) {
    this.#http = http;
    this.#options = options;
  }

  /** Sends a prompt, an answer, an edit or the wish for another answer. */
  async sendMessages<Message extends ChatMessage, Chunk>(
    options: SendOptions<Message>,
  ): Promise<ReadableStream<Chunk>> {
    const { trigger, chatId, messageId, messages, abortSignal } = options;
    // The daemon has the history; only what is new is sent.
    const message = messages.at(-1);
    const body = { ...this.#options.body, ...options.body, id: chatId, message, trigger, messageId };
    // Prompts and answers are known by their ids. An edit that is sent again would edit again.
    const isAnswer = message?.role === "assistant";
    const isRepeatable = trigger === "submit-message" && (messageId === undefined || isAnswer);
    const send = async (signal: AbortSignal) => {
      try {
        return await this.#http.openRoute("POST /api/chat", { body }, { accept: EVENT_STREAM, signal });
      } catch (error) {
        if (isRepeatable || !InterlinguaError.is(error, "unreachable")) throw error;
        throw new Error("The connection broke before the daemon answered.", { cause: error });
      }
    };
    const stream = await this.#read<Chunk>(chatId, abortSignal, send, isRepeatable);
    return stream ?? new ReadableStream({ start: (controller) => controller.close() });
  }

  /** The message that is being written, from its beginning; null when there is none. */
  reconnectToStream<Chunk>({ chatId, abortSignal }: ReconnectOptions): Promise<ReadableStream<Chunk> | null> {
    return this.#read(chatId, abortSignal, (signal) => this.#openStream(chatId, 0, signal));
  }

  /** The session of a chat: its queue, its asks of every kind with `reply`, its settings. */
  session(chatId: string): Session {
    return new Session(this.#http, chatId);
  }

  /**
   * Stops what the chat showed last: its turn, or its prompt while that waits. A turn that somebody else began meanwhile
   * goes on. Of a chat that has shown nothing yet it stops the turn that runs. Rejects with `unreachable` while nobody
   * answers; what was being sent is then not sent again.
   */
  async stop(chatId: string): Promise<void> {
    const last = this.#runs.get(chatId);
    last?.giveUp();
    const run = await last?.name;
    if (run === undefined) await this.session(chatId).interrupt();
    else await this.#stopRun(run);
  }

  /** A page of the conversation, the newest when nothing is said, to begin a chat with. */
  async messages<Message>(
    chatId: string,
    query: { readonly limit?: number; readonly before?: string } = {},
  ): Promise<{ messages: Message[]; hasMore: boolean }> {
    const request = { params: { id: chatId }, query: { ...query, toolParts: this.#toolParts } };
    const response = await this.#http.openRoute("GET /api/chat/{id}/messages", request);
    return response.json() as Promise<{ messages: Message[]; hasMore: boolean }>;
  }

  /**
   * Shows in the chat what happens elsewhere: turns that others or the agent began, prompts that waited, answers that were
   * given on another device. Until the signal is aborted or the session is closed; rejects where there is no such session.
   */
  async follow<Message extends ChatMessage>(
    chat: FollowedChat<Message>,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    const session = this.session(chat.id);
    const { head } = await session.details();
    const over = new AbortController();
    const load = () => this.messages<Message>(chat.id);
    const sync = new ChatSync<Message>(chat, load, over.signal);
    sync.request();
    try {
      for await (const event of session.events({ after: head, signal })) sync.onEvent(event);
    } finally {
      over.abort();
    }
  }

  get #toolParts(): unknown {
    return this.#options.body?.toolParts;
  }

  #openStream(id: string, startIndex: number, signal: AbortSignal): Promise<Response> {
    const request = { params: { id }, query: { startIndex, toolParts: this.#toolParts } };
    return this.#http.openRoute("GET /api/chat/{id}/stream", request, { accept: EVENT_STREAM, signal });
  }

  /** Stops what a response is about: its prompt while that waits, then its turn. Other turns go on. */
  async #stopRun(run: string): Promise<void> {
    const [session, message] = run.split("~");
    await stopPrompt(this.session(session!), message!);
  }

  /** Null when the response has nothing. Waits for the first chunk, so that a refusal is one of the request. */
  async #read<Chunk>(
    chatId: string,
    abortSignal: AbortSignal | undefined,
    open: (signal: AbortSignal) => Promise<Response>,
    isRepeatable = true,
  ): Promise<ReadableStream<Chunk> | null> {
    const leaving = new AbortController();
    let begun: Response | undefined;
    let isOpening = false;
    let isGivenUp = false;
    /** Why nobody answered the last time. */
    let problem: unknown;
    const abandon = () => {
      if (!isGivenUp || isOpening || begun || problem === undefined) return;
      leaving.abort(problem);
      failRun(problem);
    };
    const { tellRun, failRun } = this.#expectRun(chatId, () => {
      isGivenUp = true;
      abandon();
    });
    const onAbort = () => {
      if (this.#options.onStop === "interrupt") {
        // What is to be stopped is known by the name that the answer brings.
        if (isOpening) return;
        if (begun) void this.#stopRun(runOf(begun)).catch(() => {});
      }
      leaving.abort(abortSignal?.reason);
    };
    const openAt = async (startIndex: number, signal: AbortSignal) => {
      if (begun) return this.#openStream(runOf(begun), startIndex, signal);
      isOpening = true;
      try {
        begun = await open(signal);
        tellRun(begun.headers.get(RUN_HEADER) ?? undefined);
      } catch (error) {
        problem = isPassing(error) ? error : undefined;
        throw error;
      } finally {
        isOpening = false;
        abandon();
        if (abortSignal?.aborted) onAbort();
      }
      return begun;
    };
    if (abortSignal?.aborted) onAbort();
    abortSignal?.addEventListener("abort", onAbort);
    const done = () => {
      abortSignal?.removeEventListener("abort", onAbort);
      tellRun(undefined);
    };
    const mayReopen = () => isRepeatable || begun !== undefined;
    const chunks = readChunks(this.#http, openAt, { signal: leaving.signal, mayReopen });
    return streamOf<Chunk>(chunks, done, () => leaving.abort());
  }

  /** The response that is asked for takes the place of the one before, unless there is none. The first word counts. */
  #expectRun(chatId: string, giveUp: () => void) {
    const before = this.#runs.get(chatId);
    let tell: (name: string | undefined | Promise<string | undefined>) => void = () => {};
    let fail: (problem: unknown) => void = () => {};
    const name = new Promise<string | undefined>((resolve, reject) => {
      tell = resolve;
      fail = reject;
    });
    const run = { name, giveUp };
    this.#runs.set(chatId, run);
    return {
      tellRun: (told: string | undefined) => tell(told ?? before?.name),
      failRun: (problem: unknown) => {
        fail(problem);
        if (this.#runs.get(chatId) !== run) return;
        if (before) this.#runs.set(chatId, before);
        else this.#runs.delete(chatId);
      },
    };
  }
}

/** The name under which a response can be read again. */
function runOf({ headers }: Response): string {
  const run = headers.get(RUN_HEADER);
  if (run === null)
    throw new Error("The connection broke, and the response has no name to read it again by.");
  return run;
}

async function streamOf<Chunk>(
  chunks: AsyncGenerator<UIMessageChunk, void>,
  done: () => void,
  leave: () => void,
): Promise<ReadableStream<Chunk> | null> {
  const next = async () => {
    try {
      const result = await chunks.next();
      if (result.done) done();
      return result;
    } catch (error) {
      done();
      throw error;
    }
  };
  const first = await next();
  if (first.done) return null;
  return new ReadableStream<Chunk>(
    {
      start: (controller) => controller.enqueue(first.value as Chunk),
      async pull(controller) {
        const { done: isOver, value } = await next();
        if (isOver) controller.close();
        else controller.enqueue(value as Chunk);
      },
      cancel() {
        leave();
        done();
      },
    },
    { highWaterMark: 0 },
  );
}
