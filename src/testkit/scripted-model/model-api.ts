/** The wire of one model API, apart from what is said over it. Pure: bytes and time are the server's. */
import type { TokenUsage } from "../../core/usage.ts";
import type { ContentBeat, ScriptedError, StopReason } from "./script.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

export interface ModelMessage {
  readonly role: "user" | "assistant" | "system";
  /** Its text without tool results. */
  readonly text: string;
}

/** A request for a reply, as far as all APIs have the same. */
export interface ModelRequest {
  /** Name of the API. */
  readonly api: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: JsonObject;
  readonly model: string;
  readonly streams: boolean;
  readonly messages: readonly ModelMessage[];
}

/** What a reply ends with. */
export interface ReplyEnding {
  readonly reason: StopReason;
  readonly usage: TokenUsage;
}

/** What a reply is made with. */
export interface ReplyOptions {
  readonly model: string;
  /** What was asked. */
  readonly body: JsonObject;
  readonly usage: TokenUsage;
  /** A new id, `msg_000001`. */
  newId(prefix: string): string;
}

/** Writes one streamed reply, frame by frame. It knows which block is open. */
export interface ReplyStream {
  start(): string;
  /** One frame for each piece. */
  content(beat: ContentBeat): Iterable<string>;
  end(ending: ReplyEnding): string;
  /** An error in place of the rest. */
  fail(error: ScriptedError): string;
}

/** What a server needs to speak an API. Another API is another one of these, and the scripts stay. */
export interface ModelApi {
  readonly name: string;
  /** Where replies are asked for by POST. */
  readonly path: string | RegExp;
  readRequest(body: JsonObject, path?: string): Pick<ModelRequest, "model" | "streams" | "messages">;
  createStream(options: ReplyOptions): ReplyStream;
  /** The whole reply in one body, for clients that do not stream. */
  wholeReply(content: readonly ContentBeat[], ending: ReplyEnding, options: ReplyOptions): JsonObject;
  errorBody(error: ScriptedError): JsonObject;
  /** Answers the small calls beside replies (counting tokens, say); undefined for those it does not know. */
  answerAside(method: string, path: string, body: JsonObject): JsonObject | undefined;
}
