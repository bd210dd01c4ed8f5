/** A prompt on its way: its events until its turn has ended, whatever happens to the connection meanwhile. */
import { PromptSelection } from "../protocol/prompt-selection.ts";
import { InterlinguaError } from "./error.ts";
import type { FollowOptions } from "./follow.ts";
import type { HttpClient } from "./http.ts";
import { askUntilAnswered } from "./retry.ts";
import type { RouteRequest } from "./routes.ts";
import { sessionEvents } from "./session-events.ts";
import type { EventOf, EventWithRaw, Message, PromptReceipt, UIMessageChunk } from "./types.ts";
import { uiMessageStream } from "./ui-message-stream.ts";

type SendPrompt = RouteRequest<"POST /v1/sessions/{id}/messages">["body"];

export interface PromptOptions extends FollowOptions {
  /** A prompt with an id that the session has already is not given to the agent again; its answer is. */
  readonly id?: string;
  /** While a turn runs: wait for it (`queue`), join it where the agent can (`steer`), or be refused (`reject`). */
  readonly whenBusy?: SendPrompt["whenBusy"];
  /** Settings of the agent by id, for this turn alone. */
  readonly settings?: SendPrompt["settings"];
  /**
   * `raw` puts what the agent really said beside each event that came from it, as `rawRecord`, and on chunks of
   * `uiMessageStream` as `providerMetadata` under the agent's name.
   */
  readonly include?: "raw";
}

export type PromptInput = string | NonNullable<SendPrompt["parts"]>;

/**
 * Sent as soon as it is made. Its events can be read as often as wanted, from the beginning each time; the last is the
 * `turn.ended` of its turn, or its `prompt.withdrawn`. Leaving the loop or aborting the signal does not stop the turn:
 * `session.interrupt()` does.
 *
 * @example
 * const prompt = session.prompt("Fix the failing test");
 * for await (const event of prompt) if (event.type === "text.delta") process.stdout.write(event.delta);
 */
export class Prompt implements AsyncIterable<EventWithRaw> {
  /** The id of the message. */
  readonly id: string;
  /** Resolves when the prompt is safely in the log. */
  readonly accepted: Promise<PromptReceipt>;
  readonly #http: HttpClient;
  readonly #session: string;
  readonly #options: PromptOptions;

  constructor(http: HttpClient, session: string, input: PromptInput, options: PromptOptions = {}) {
    const { id = `msg_${crypto.randomUUID()}`, whenBusy, settings } = options;
    this.#http = http;
    this.#session = session;
    this.#options = options;
    this.id = id;
    const saying = typeof input === "string" ? { text: input } : { parts: input };
    this.accepted = this.#send({ id, ...saying, whenBusy, settings });
    // Who only reads the events hears of it there.
    this.accepted.catch(() => {});
  }

  /** Tried again until somebody answers: the id makes it happen once. */
  #send(body: SendPrompt): Promise<PromptReceipt> {
    const request = { params: { id: this.#session }, body };
    const { signal } = this.#options;
    const send = (timeoutMs: number) =>
      this.#http.call("POST /v1/sessions/{id}/messages", request, signal, timeoutMs);
    return askUntilAnswered(send, this.#options);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<EventWithRaw, void> {
    const { seq } = await this.accepted;
    const selection = new PromptSelection<EventWithRaw>(this.id, (event) => event);
    for await (const event of sessionEvents(this.#http, this.#session, {
      ...this.#options,
      after: seq - 1,
    })) {
      yield* selection.select([event]);
      if (selection.isDone) return;
    }
    this.#options.signal?.throwIfAborted();
  }

  /**
   * What the agent said, without what its sub-agents said and what it took back. Paragraphs before and after a tool call
   * have an empty line between them. Rejects with `turn_failed` when the turn did not end well.
   */
  async text(): Promise<string> {
    const texts = new Map<string, string>();
    for await (const event of this) {
      if (event.type === "text.start" && event.parent === undefined && event.task === undefined)
        texts.set(event.part, "");
      else if (event.type === "text.delta" && texts.has(event.part))
        texts.set(event.part, texts.get(event.part) + event.delta);
      else if (event.type === "content.discarded") for (const part of event.parts) texts.delete(part);
      else if (event.type === "turn.ended") return assertEndedWell(event, joined(texts));
    }
    throw new InterlinguaError(
      "turn_failed",
      "The prompt was withdrawn, or the session closed, before its turn.",
    );
  }

  /** Takes it back while it waits. False when it has begun, or was taken back before. */
  async withdraw(): Promise<boolean> {
    const params = { id: this.#session, message: this.id };
    try {
      await this.accepted;
      await this.#http.call("DELETE /v1/sessions/{id}/queue/{message}", { params });
      return true;
    } catch (error) {
      if (InterlinguaError.is(error, "message_not_queued")) return false;
      throw error;
    }
  }

  /** The agent's answer as it is stored; undefined when there is none, as after a prompt that was taken back. */
  async message(): Promise<Message | undefined> {
    let message: string | undefined;
    for await (const event of this) if (event.type === "message.started") message ??= event.message;
    if (message === undefined) return undefined;
    const request = { params: { id: this.#session, message } };
    const { signal } = this.#options;
    const ask = (timeoutMs: number) =>
      this.#http.call("GET /v1/sessions/{id}/messages/{message}", request, signal, timeoutMs);
    return (await askUntilAnswered(ask, this.#options)).message;
  }

  /**
   * The answer as chunks of the AI SDK's UI message stream, from its beginning each time. Stays open while the prompt
   * waits or a person is asked. A failed turn has an `error` chunk; a prompt that was taken back has no chunks.
   *
   * @example
   * for await (const message of readUIMessageStream({ stream: prompt.uiMessageStream() })) render(message);
   */
  uiMessageStream<Chunk extends { type: string } = UIMessageChunk>(): ReadableStream<Chunk> {
    const wanted = this.accepted.then(({ message }) => ({ session: this.#session, message }));
    // Who never reads it never hears of it.
    wanted.catch(() => {});
    return uiMessageStream(this.#http, wanted, this.#options);
  }
}

function assertEndedWell({ outcome, error }: EventOf<"turn.ended">, text: string): string {
  if (outcome === "completed" || outcome === "interrupted") return text;
  throw new InterlinguaError("turn_failed", error?.message ?? `The turn ended as ${outcome}.`);
}

function joined(texts: ReadonlyMap<string, string>): string {
  return [...texts.values()].filter((text) => text !== "").join("\n\n");
}
