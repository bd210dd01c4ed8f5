/**
 * The port of client protocols. A dialect is a folder that speaks one of them: routes, handlers, a view of the log, and
 * the format of problems. One line in registry.ts mounts it. Types only.
 */
import type { RouteConfig } from "@hono/zod-openapi";
import type { Logger } from "pino";
import type { SessionEvent } from "../core/event.ts";
import type { MessageRecord } from "../core/message-record.ts";
import type { Principal } from "../core/principal.ts";
import type { PromptPart } from "../core/prompt-part.ts";
import type { Right } from "../core/rights.ts";
import type { MessageRow, Store } from "../core/store.ts";
import type { Engine } from "../engine/engine.ts";
import type { RouteInput, RouteReply, RouteRight } from "../protocol/define-route.ts";
import type { PresenceView } from "../protocol/schemas/presence.ts";
import type { Problem } from "../protocol/schemas/problem.ts";

export interface Dialect<Routes extends DialectRoutes> {
  /** In logs, in commands, with stored keys and in the OpenAPI document. No two dialects share one. */
  readonly name: string;
  readonly description: string;
  /**
   * Everything under this path belongs to the dialect, even what no route matches: it describes the problems there. It
   * may have parameters (`/v1/sessions/{id}/unified`). The daemon does not start if a route of its own or the path of
   * another dialect lies in the way.
   */
  readonly path: string;
  /** Every path lies under `path`. The names are those of the handlers, and the operation ids. */
  readonly routes: Routes;
  /** Routes whose bodies carry prompts and files. All other bodies are small. */
  readonly contentRoutes: readonly (keyof Routes & string)[];
  /**
   * Called once for each place where the dialect is mounted and each token that uses it there, with services that do and
   * show what the token is for. So handlers check no rights, and keep nothing that is not in the log.
   */
  handlers(services: DialectServices): DialectHandlers<Routes>;
  /** Two-way connections: WebSockets. Not at a port of its own. */
  readonly channels?: readonly ChannelDefinition[];
  readonly view: ViewDefinition;
  /**
   * Its clients' names for an event, where they are not our ids: their own ids, keys of conversations. Pure. Stored in
   * the same commit as the event, and found by `DialectServices.store.findKey`.
   */
  keys?(event: SessionEvent): readonly string[];
  /** On every answer under its path, refusals too. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The form of a refusal for its clients; a problem document when absent. */
  describeProblem?(problem: Problem): { body: string; headers: Readonly<Record<string, string>> };
}

/** Any dialect, whatever its routes. */
export interface AnyDialect extends Omit<Dialect<DialectRoutes>, "handlers"> {
  handlers(services: DialectServices): Readonly<Record<string, (input: never, call: Call) => unknown>>;
}

export type DialectRoutes = Readonly<Record<string, RouteConfig & RouteRight & { getRoutingPath(): string }>>;

export type DialectHandlers<Routes extends DialectRoutes> = {
  readonly [Name in keyof Routes]: DialectHandler<Routes[Name]>;
};

/** Gets validated input. Returns a status with its body, or the result of a method of the call. */
export type DialectHandler<Route extends RouteConfig> = (
  input: RouteInput<Route>,
  call: Call,
) => Reply<Route> | Promise<Reply<Route>>;

type Reply<Route extends RouteConfig> = RouteReply<Route> | Response;

/** One request. */
export interface Call {
  readonly isHead: boolean;
  readonly caller: Principal;
  /** Aborted when the client leaves before it has its answer, for handlers that wait. */
  readonly signal: AbortSignal;
  header(name: string): string | undefined;
  /** A whole answer in text. */
  answer(status: number, body: string | null, headers?: Readonly<Record<string, string>>): Response;
  /** JSON in pieces, sent as fast as the client reads. */
  answerJson(status: number, pieces: readonly string[]): Response;
  /** A list of encoded entries, with further fields beside it. */
  answerList(name: string, items: readonly string[], beside: Readonly<Record<string, unknown>>): Response;
  /**
   * A stream. For HEAD only its headers are sent and `run` is not called. Throws if there are too many streams;
   * `DialectServices.assertRoom` throws that earlier.
   */
  stream(options: StreamOptions, run: (sink: Sink) => void): Response;
}

export interface StreamOptions {
  headers: Readonly<Record<string, string>>;
  /** The last frame of a stream that is cut off, with the reason; a comment when absent. */
  closingFrame?: (reason: string) => string;
  /** Whether its clients take comments, which show that a quiet stream is alive. True when absent. */
  hasComments?: boolean;
}

/** The destination of a stream. Write until it is full, and again once it has drained. */
export interface Sink {
  /** Who reads it. Absent where nobody watches, as with an answer that is sent whole. */
  readonly caller?: Principal;
  readonly isOpen: boolean;
  readonly isFull: boolean;
  write(frame: SharedFrame): void;
  writeText(text: string): void;
  /** Each frame is a message of its own where the sink has messages. */
  writeFrames(frames: SharedFrames): void;
  /**
   * Calls `listener` whenever a full sink has drained, and sometimes more often. Returns a function that unsubscribes.
   */
  onDrain(listener: () => void): () => void;
  /**
   * Calls `listener` once, when the client left or the stream ended; at once if it already has. Returns a function that
   * unsubscribes.
   */
  onClose(listener: () => void): () => void;
  /** Ends it after what was written. The client is told the `reason`, and in a channel the code of the close frame. */
  end(reason?: string, code?: number): void;
}

/** A WebSocket that clients can open. */
export interface ChannelDefinition {
  /** Under `Dialect.path`, with parameters like those of routes. */
  readonly path: string;
  /** The least right of whoever opens it. What is done through it is checked by the services. */
  readonly right: Right;
  /** Called like `Dialect.handlers`. */
  handler(services: DialectServices): ChannelHandler;
}

/**
 * The request has passed the guard. What it rejects with is the answer, as a problem; what it returns gets the open
 * channel. An error after that ends the channel.
 */
export type ChannelHandler = (call: ChannelCall) => Promise<(channel: Channel) => void | Promise<void>>;

/** The request that opened a channel. */
export interface ChannelCall extends Pick<Call, "caller" | "signal" | "header"> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

/** A sink whose client also sends. Every frame of a view is one message. */
export interface Channel extends Sink {
  /**
   * Calls `listener` with each message in its order, the next one when the promise of the last one is settled. What
   * comes before there is a listener waits for it. If it throws or rejects, the channel ends.
   */
  onMessage(listener: (text: string) => void | Promise<void>): void;
}

/** Bytes that are encoded once and sent to every reader. */
export interface SharedFrame {
  readonly plain: Buffer;
  /** Framed as one chunk of a chunked HTTP/1.1 body. */
  readonly chunked: Buffer;
}

/** Frames that are encoded once and sent to every reader. */
export interface SharedFrames {
  /** All of them, one after the other. */
  readonly joined: SharedFrame;
  /** Each as a message of a WebSocket, framed for the wire. */
  readonly messages: Buffer;
}

/** What the server gives every dialect. */
export interface DialectServices {
  readonly mount: DialectMount;
  readonly engine: Engine;
  readonly store: Pick<
    Store,
    "getSession" | "listSessions" | "getMessage" | "listMessages" | "findKey" | "moveKey"
  >;
  readonly history: History;
  readonly messages: MessageStreams;
  readonly sessions: SessionStreams;
  readonly pages: Pages;
  readonly presence: PresenceService;
  readonly logger: Logger;
  /** The agent of a session that names none. */
  readonly defaultAgent: string;
  /** The real path of the directory, or the first root when absent. Throws if it is outside the allowed roots. */
  resolveDirectory(path?: string): Promise<string>;
  /** The address of a session on the page, without the token. */
  pageLink(session: string): string;
  /** Throws if a file of a prompt neither comes with its content nor is where this session may work. */
  checkPrompt(parts: readonly PromptPart[], session: string): Promise<void>;
  /** Throws if no stream can be opened, for handlers that act before they stream. */
  assertRoom(): void;
  /** The JSON of a message, held to the limits of request bodies. Throws `invalid_request` or `body_too_complex`. */
  parseJson(text: string): unknown;
}

/** Where a dialect is mounted. Each place has services of its own, which show only what may be used there. */
export interface DialectMount {
  /** `main`: at its path, for whoever has the token. `port`: at the root of a port of its own, without a token. */
  readonly name: "main" | "port";
  /** Where it listens: known to requests, but not yet when the handlers are made. */
  readonly port: number;
  /** The one directory whose sessions there are, a real path. All sessions when absent. */
  readonly workspace?: string;
  /** Whether a turn goes on when the client that began it leaves, where clients have no other way to stop one. */
  readonly keepRunning: boolean;
}

export interface History {
  recordOf(session: string, row: MessageRow): Promise<MessageRecord>;
  /**
   * A page of messages, oldest first, without the one that streams, but with one that waits for a person. Throws for an
   * unknown `before`.
   */
  shown(
    session: string,
    query: { limit: number; before?: string },
  ): Promise<{ rows: MessageRow[]; hasMore: boolean }>;
}

/** Who watches a session: whose sinks of it are open, in any dialect. Following a session with a sink counts by itself. */
export interface PresenceService {
  of(session: string): PresenceView;
  /**
   * Calls `listener` whenever somebody came or left, at most once in each turn of the event loop. Returns a function that
   * unsubscribes.
   */
  follow(session: string, listener: () => void): () => void;
}

/** Encodes long lists entry by entry without blocking the event loop. */
export interface Pages {
  /** The maximum bytes of entries in one answer. */
  readonly maxBytes: number;
  encode<Entry>(
    entries: Iterable<Entry> | AsyncIterable<Entry>,
    encode: (entry: Entry) => string | Promise<string>,
    maxLength?: number,
  ): Promise<{ items: string[]; isCut: boolean }>;
}

/**
 * Events → frames. Pure: no clock, no timer, no connection. Its state is bounded by what is open. An event of an
 * unknown type adds nothing.
 */
export interface View<OneFrame extends Frame = Frame> {
  add(event: SessionEvent): readonly OneFrame[];
}

export interface Frame {
  /** As it is sent. */
  text: string;
}

/**
 * A frame of one assistant message. The mark tells the server where a person is asked, because the response ends there.
 */
export interface MessageFrame extends Frame {
  /**
   * `start` and `seam` begin and end a segment of the message up to an ask, `step` begins a step, `end` is the last
   * frame of the message. A message ends with its turn, or when the next message begins.
   */
  mark: "start" | "step" | "content" | "seam" | "end";
  /** For a seam: the ask. */
  ask?: string;
}

/**
 * What the dialect shows of the log and how its clients resume, for the contract suite of the test kit and for X-ray. No
 * stream is made of it: the server sends what a handler passes to `MessageStreams.follow` or `SessionStreams.follow`, so handlers pass
 * these very formats and views.
 */
export type ViewDefinition =
  | {
      scope: "message";
      /** The server finds a place in a message by its frames, not by events. */
      resume: Exclude<Resume, "cursor">;
      /** Every format that a handler uses. */
      formats: readonly MessageFormat[];
    }
  | {
      scope: "session";
      resume: Resume;
      create(): View;
      /** For X-ray, where `create` shows only a part: all frames of a session, from any turn on. */
      inspect?(session: InspectedSession): View;
    };

/** What the frames of a session may name. */
export interface InspectedSession {
  readonly id: string;
  readonly createdAt: number;
  readonly cwd: string;
}

/**
 * How a client resumes. `cursor`: each frame is of one event, and the client names the last event it has;
 * a new view begins there, or earlier where the handler says so. `replay`: it
 * gets the message or the session again, and may say how many frames to skip. `none`: it cannot.
 */
export type Resume = "cursor" | "replay" | "none";

/** Views of whole sessions, from the log and then live. */
export interface SessionStreams {
  /** Ends the sink with the session, or after an event that completes it. */
  follow(sink: Sink, session: string, options: FollowSession): void;
  /** The text of a view, once it is complete, in the way of `MessageStreams.collect`. */
  collect(session: string, options: FollowSession, signal?: AbortSignal): Promise<CollectedResponse>;
  /** For `FollowSession.from`: the seq before the turn that was open after this event, or `after` if none was. */
  findOpenTurn(session: string, after: number): Promise<number>;
}

/** `isCut`: it became too long, and the rest is missing. */
export interface CollectedResponse {
  text: string;
  isCut: boolean;
}

export interface FollowSession<Shown extends View = View> {
  readonly view: Shown;
  /** Frames of later events are sent. */
  readonly after: number;
  /** The view gets the events after this one: before `after` if it needs to know what came earlier. */
  readonly from?: number;
  isComplete?(event: SessionEvent): boolean;
  /**
   * Called once, when the frames of everything that was committed are sent. Gets the view that has seen it, which is another
   * one where readers share it.
   */
  onLevel?(view: Shown): void;
  /** Lets readers at the same event share one view. Without `isComplete`. */
  readonly shared?: SharedView<Shown>;
}

export interface SharedView<Shown extends View = View> {
  /**
   * Views of one session with equal keys write equal frames from any event on, wherever they began and whoever reads.
   * Begins with the name of the dialect.
   */
  readonly key: string;
  /** A new view for a reader that goes on after this event, and where that view begins. */
  restart(after: number): Promise<{ view: Shown; from: number }>;
}

/** Responses of one assistant message each, from the log and then live. */
export interface MessageStreams {
  /** Ends the sink with the response: at the end of the message, or where a person is asked unless it goes on there. */
  follow(sink: Sink, wanted: WantedMessage, start: ResponseStart): void;
  /**
   * The text of a response, once it is complete, for answers that are sent whole. It counts as a stream and throws like
   * one. Rejects if the signal is aborted, the session is deleted or the daemon shuts down.
   */
  collect(wanted: WantedMessage, start: ResponseStart, signal?: AbortSignal): Promise<CollectedResponse>;
  /** How many segments of a message a client has that was shown these asks: up to the last of them. */
  segmentsShown(wanted: WantedMessage, asks: ReadonlySet<string>): Promise<number>;
  /** How many frames a response that begins after this many segments has so far. */
  countFrames(wanted: WantedMessage, segments: number): Promise<number>;
}

export interface WantedMessage {
  readonly session: string;
  /** The message itself, or the one it answers. */
  readonly message: string;
  /** The seq of its `message.started`, or of an earlier event. */
  readonly from: number;
  /** What is known of the session at `from`. */
  readonly facts: SessionFacts;
  readonly format: MessageFormat;
  /** The view gets each event with a `RawOrigin`, as far as records are small. Such readers share no work. */
  readonly withRaws?: boolean;
}

/** What a message can tell of its session. */
export interface SessionFacts {
  agent?: string;
  agentSessionId?: string;
}

/** The format of a message. Formats with equal keys write equal frames, so readers share the work. */
export interface MessageFormat {
  readonly key: string;
  createView(session: SessionFacts): View<MessageFrame>;
  /** After the last frame of every response. */
  readonly done: string;
  /** Begins a response for a client that has everything so far. */
  begin(message: string): string;
  /** Ends a response at an ask that the client already has. */
  readonly pause: string;
}

export interface ResponseStart {
  /** Segments of the message that the client has. */
  segments: number;
  /** Frames of this response that the client has. */
  frames: number;
  /** It goes on where a person is asked, up to the end of the message. */
  acrossAsks?: boolean;
}
