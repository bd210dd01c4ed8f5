/**
 * The port of client protocols. A dialect is a folder that speaks one of them: routes, handlers, a view of the log, and the
 * words in which its clients want to hear of problems. One line in registry.ts mounts it. Types only.
 */
import type { RouteConfig } from "@hono/zod-openapi";
import type { Logger } from "pino";
import type { SessionEvent } from "../core/event.ts";
import type { MessageRecord } from "../core/message-record.ts";
import type { Principal } from "../core/principal.ts";
import type { PromptPart } from "../core/prompt-part.ts";
import type { MessageRow, Store } from "../core/store.ts";
import type { Engine } from "../engine/engine.ts";
import type { RouteInput, RouteReply } from "../protocol/define-route.ts";
import type { Problem } from "../protocol/schemas/problem.ts";

export interface Dialect<Routes extends DialectRoutes> {
  /** In logs, in commands and in the OpenAPI document. */
  readonly name: string;
  readonly description: string;
  /** Everything under this path is its own, also what no route matches: problems there are told in its words. */
  readonly path: string;
  /** Every path lies under `path`. The names are those of the handlers, and the operation ids. */
  readonly routes: Routes;
  /** Routes whose bodies carry prompts and files. All other bodies are small. */
  readonly contentRoutes: readonly (keyof Routes & string)[];
  /** Called once, when the server starts. */
  handlers(means: Means): DialectHandlers<Routes>;
  readonly view: ViewDefinition;
  /**
   * What its clients call an event, where that is not our own id: ids of its own, keys of conversations. Pure; stored in the
   * same commit as the event, and found by `Means.store.findKey`.
   */
  keys?(event: SessionEvent): readonly string[];
  /** What a refusal looks like to its clients; a problem document when absent. */
  describeProblem?(problem: Problem): { body: string; headers: Readonly<Record<string, string>> };
}

/** Any of them, whatever its routes. */
export interface AnyDialect extends Omit<Dialect<DialectRoutes>, "handlers"> {
  handlers(means: Means): Readonly<Record<string, (input: never, call: Call) => unknown>>;
}

export type DialectRoutes = Readonly<Record<string, RouteConfig & { getRoutingPath(): string }>>;

export type DialectHandlers<Routes extends DialectRoutes> = {
  readonly [Name in keyof Routes]: DialectHandler<Routes[Name]>;
};

/** Gets what was validated. Gives a status with its body, or what a method of the call gave. */
export type DialectHandler<Route extends RouteConfig> = (
  input: RouteInput<Route>,
  call: Call,
) => Reply<Route> | Promise<Reply<Route>>;

type Reply<Route extends RouteConfig> = RouteReply<Route> | Response;

/** One request. */
export interface Call {
  readonly isHead: boolean;
  readonly caller: Principal;
  header(name: string): string | undefined;
  /** A whole answer in text. */
  answer(status: number, body: string | null, headers?: Readonly<Record<string, string>>): Response;
  /** JSON in pieces, sent as the client takes it. */
  answerJson(status: number, pieces: readonly string[]): Response;
  /** A list whose entries are encoded already, and what stands beside it. */
  answerList(name: string, items: readonly string[], beside: Readonly<Record<string, unknown>>): Response;
  /**
   * A stream. For HEAD only its headers are sent, and `run` is not called. Throws when there are too many streams;
   * `Means.assertRoom` throws the same earlier.
   */
  stream(options: StreamOptions, run: (sink: Sink) => void): Response;
}

export interface StreamOptions {
  headers: Readonly<Record<string, string>>;
  /** How a stream that is cut off says why; a comment when absent. */
  closingFrame?: (reason: string) => string;
}

/** Where a stream goes. It is written to until it is full, and again once it has drained. */
export interface Sink {
  readonly isOpen: boolean;
  readonly isFull: boolean;
  write(frame: SharedFrame): void;
  writeText(text: string): void;
  /** Called whenever a full sink has been emptied, and sometimes without need. Returns what ends that. */
  onDrain(listener: () => void): () => void;
  /** Called once, when the client left or the stream was ended; at once when that is already so. */
  onClose(listener: () => void): void;
  /** Ends it after what was written. A `reason` is told. */
  end(reason?: string): void;
}

/** Bytes that are made once and go to every reader. */
export interface SharedFrame {
  readonly plain: Buffer;
  /** Framed as one chunk of a chunked HTTP/1.1 body. */
  readonly chunked: Buffer;
}

/** What the server gives every dialect. */
export interface Means {
  readonly engine: Engine;
  readonly store: Pick<Store, "getSession" | "getMessage" | "listMessages" | "findKey">;
  readonly history: History;
  readonly messages: MessageStreams;
  readonly sessions: SessionStreams;
  readonly pages: Pages;
  readonly logger: Logger;
  /** Of a session for which no agent is named. */
  readonly defaultAgent: string;
  /** The directory as it really is. Throws when it is outside the allowed roots. The first root when absent. */
  resolveDirectory(path?: string): Promise<string>;
  /** Throws when a file of a prompt is neither given with its content nor inside the allowed roots. */
  checkPrompt(parts: readonly PromptPart[]): Promise<void>;
  /** Throws when no stream can be opened: for handlers that act before they stream. */
  assertRoom(): void;
}

export interface History {
  recordOf(session: string, row: MessageRow): Promise<MessageRecord>;
  /**
   * A page of the messages that stand still, oldest first: one that streams is left out, one that waits for a person is
   * in. Throws for an unknown `before`.
   */
  shown(
    session: string,
    query: { limit: number; before?: string },
  ): Promise<{ rows: MessageRow[]; hasMore: boolean }>;
}

/** Long lists, encoded entry by entry while others have their turn. */
export interface Pages {
  /** How many bytes of entries one answer carries. */
  readonly maxBytes: number;
  encode<Entry>(
    entries: Iterable<Entry> | AsyncIterable<Entry>,
    encode: (entry: Entry) => string | Promise<string>,
    maxLength?: number,
  ): Promise<{ items: string[]; isCut: boolean }>;
}

/**
 * Events → frames. Pure: no clock, no timer, no connection. What it remembers is bounded by what is open. An event of
 * a type it does not know adds nothing.
 */
export interface View<OneFrame extends Frame = Frame> {
  add(event: SessionEvent): readonly OneFrame[];
}

export interface Frame {
  /** As it is sent. */
  text: string;
}

/** A frame of one assistant message. The server ends a response where a person is asked, and needs to know where that is. */
export interface MessageFrame extends Frame {
  /**
   * `start` and `seam` begin and end a stretch of the message up to an ask, `step` begins a step, `end` is the last frame
   * of the message.
   */
  mark: "start" | "step" | "content" | "seam" | "end";
  /** Of a seam: what is asked. */
  ask?: string;
}

export type ViewDefinition =
  | {
      scope: "message";
      resume: Resume;
      create(): View<MessageFrame>;
    }
  | {
      scope: "session";
      resume: Resume;
      create(): View;
    };

/**
 * How a client that was cut off goes on. `cursor`: each frame is of one event, and the client names the last event it has.
 * `replay`: it gets the message or the session again, and may say how many frames to leave out. `none`: it does not.
 */
export type Resume = "cursor" | "replay" | "none";

/** Views of whole sessions, from the log and then live. */
export interface SessionStreams {
  /** Ends the sink with the session, or after an event that completes it. */
  follow(sink: Sink, session: string, options: FollowSession): void;
}

export interface FollowSession {
  readonly view: View;
  /** Frames of events after this one are sent. */
  readonly after: number;
  /** The view begins to see events after this one: earlier than `after` where it has to know what came before. */
  readonly from?: number;
  isComplete?(event: SessionEvent): boolean;
}

/** Responses of one assistant message each, from the log and then live. */
export interface MessageStreams {
  /** Ends the sink with the response: at the end of the message, or where a person is asked. */
  follow(sink: Sink, wanted: WantedMessage, start: ResponseStart): void;
  /** How many segments of a message a client has that was shown these asks: all through the last of them. */
  segmentsShown(wanted: WantedMessage, asks: ReadonlySet<string>): Promise<number>;
  /** How many frames a response has by now that begins after so many segments. */
  countFrames(wanted: WantedMessage, segments: number): Promise<number>;
}

export interface WantedMessage {
  readonly session: string;
  /** The message itself, or the one it answers. */
  readonly message: string;
  /** The seq of an event before its `message.started`, or of that. */
  readonly from: number;
  /** What is known of the session at `from`. */
  readonly facts: SessionFacts;
  readonly format: MessageFormat;
}

/** What a message can tell of its session. */
export interface SessionFacts {
  agent?: string;
  agentSessionId?: string;
}

/** How a message is written. Two with the same key write the same, so readers share the work. */
export interface MessageFormat {
  readonly key: string;
  createView(session: SessionFacts): View<MessageFrame>;
  /** After the last frame of every response. */
  readonly done: string;
  /** Begins a response whose client has all there is. */
  begin(message: string): string;
  /** Ends a response at an ask that such a client has. */
  readonly pause: string;
}

export interface ResponseStart {
  /** Segments of the message that the client has. */
  segments: number;
  /** Frames of this response that the client has. */
  frames: number;
}
