/** All open streams, sockets too, and the channels that feed them. One per server. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { InterlinguaError } from "../../core/error.ts";
import type { Principal } from "../../core/principal.ts";
import type { Store } from "../../core/store.ts";
import type { TimeSlices } from "../../core/time-slices.ts";
import type { Sink } from "../../dialects/dialect.ts";
import type { Engine } from "../../engine/engine.ts";
import { CLOSE_CODES } from "../../protocol/close-code.ts";
import type { Callers } from "../access/callers.ts";
import { SizedCache } from "../answers/sized-cache.ts";
import type { ServerLimits } from "../limits.ts";
import type { Presence } from "../people/presence.ts";
import { CollectedText, type CollectOptions } from "./collected-text.ts";
import { EventStream } from "./event-stream.ts";
import type { LogSlice } from "./log-slice.ts";
import type { OpenStream } from "./open-stream.ts";
import { ReadQueue } from "./read-queue.ts";
import { RecentMemory } from "./recent-memory.ts";
import { PAGE_EVENTS, SessionChannel } from "./session-channel.ts";
import { StreamCounters } from "./stream-counters.ts";
import { ViewTracks } from "./view-tracks.ts";

const PARALLEL_READS = 4;
const CACHE_LENGTH = 8 * 1024 * 1024;

export interface FanOutDependencies {
  engine: Pick<Engine, "follow">;
  store: Pick<Store, "readEvents" | "health">;
  slices: TimeSlices;
  presence: Pick<Presence, "enter">;
  /** Gets faults that cost one reader, and that nobody else could handle. */
  onFault?(error: unknown): void;
  /** Whether a token is good still. Each is when absent. */
  isAccepted?: Callers["isAccepted"];
  limits: Pick<
    ServerLimits,
    "maxStreams" | "keepAliveMs" | "pageBytes" | "recentBytes" | "recentBytesOverall"
  >;
}

/** What handlers have of it. */
export type Streams = Pick<
  FanOut,
  "views" | "open" | "collect" | "assertRoom" | "assertReadable" | "watch" | "channel"
>;

export class FanOut {
  readonly counters = new StreamCounters();
  /** The views that readers share. */
  readonly views = new ViewTracks();
  readonly #dependencies: FanOutDependencies;
  readonly #reads = new ReadQueue(PARALLEL_READS);
  readonly #cache = new SizedCache<LogSlice>(CACHE_LENGTH);
  readonly #recent: RecentMemory;
  readonly #channels = new Map<string, SessionChannel>();
  readonly #streams = new Set<OpenStream>();
  readonly #sweep: NodeJS.Timeout;
  #channelsMade = 0;
  #sockets = 0;
  #isClosed = false;

  constructor(dependencies: FanOutDependencies) {
    this.#dependencies = dependencies;
    this.#recent = new RecentMemory(dependencies.limits.recentBytesOverall);
    // A stream that was quiet for one whole sweep gets a comment. Sweeps run at twice the rate, so no silence is too
    // long.
    this.#sweep = setInterval(() => this.#keepAlive(), dependencies.limits.keepAliveMs / 2);
    this.#sweep.unref();
  }

  /** Answers a request with a stream. Throws if there are too many or the server is closing. */
  open(
    request: IncomingMessage,
    response: ServerResponse,
    caller: Principal,
    headers: OutgoingHttpHeaders,
    kind?: Readonly<Record<string, string>>,
    hasComments?: boolean,
  ): EventStream {
    this.assertRoom();
    return this.#add(new EventStream(request, response, caller, headers, this.counters, kind, hasComments));
  }

  /** A stream that is read as a whole. Throws like `open`. */
  collect(options: Pick<CollectOptions, "signal" | "maxBytes">): CollectedText {
    this.assertRoom();
    const cutOff = (reason: string) =>
      new InterlinguaError(
        this.#isClosed ? "shutting_down" : "internal",
        `The answer was cut off: ${reason}. Ask for it again in a moment.`,
      );
    return this.#add(new CollectedText({ ...options, cutOff }));
  }

  /** Takes in the stream of a socket, after `assertRoom`. */
  openChannel<Stream extends OpenStream>(stream: Stream): Stream {
    this.counters.socketsOpened += 1;
    this.#sockets += 1;
    stream.onClose(() => {
      this.#sockets -= 1;
    });
    return this.#add(stream);
  }

  #add<Stream extends OpenStream>(stream: Stream): Stream {
    this.counters.opened += 1;
    this.#streams.add(stream);
    stream.onClose(() => this.#streams.delete(stream));
    // The token may have ended while the handler looked for what to stream.
    const { isAccepted = () => true } = this.#dependencies;
    if (stream.caller && !isAccepted(stream.caller.access)) endOfToken(stream);
    return stream;
  }

  /** Throws like `open`, for handlers that act before they stream. */
  assertRoom(): void {
    if (this.#isClosed)
      throw new InterlinguaError("shutting_down", "The daemon is shutting down. Connect again in a moment.");
    const { maxStreams } = this.#dependencies.limits;
    if (this.#streams.size >= maxStreams)
      throw new InterlinguaError(
        "too_many_requests",
        `${maxStreams} streams are open, which is the most there may be. Close some.`,
        { retryAfterSeconds: 5 },
      );
  }

  /**
   * Throws `session_damaged` if a stream from `after` on would end at once. A browser stops after an error, but reopens
   * a stream that ends, forever.
   */
  async assertReadable(session: string, after: number): Promise<void> {
    const { store, limits } = this.#dependencies;
    if (!store.health().damagedSessions.includes(session)) return;
    try {
      await this.#reads.run(() => store.readEvents(session, after, PAGE_EVENTS, limits.pageBytes));
    } catch (error) {
      if (InterlinguaError.isInstance(error) && error.code === "session_damaged") throw error;
    }
  }

  /**
   * Counts whoever reads the stream among those who watch the session, until it closes. Returns a function that ends it
   * earlier. Nobody watches a stream without a caller.
   */
  watch(stream: Sink, session: string): () => void {
    const { caller } = stream;
    if (!caller) return () => {};
    const { name, dialect, access } = caller;
    const leave = this.#dependencies.presence.enter(session, { name, role: access.role, dialect });
    const forget = stream.onClose(leave);
    return () => {
      forget();
      leave();
    };
  }

  /** The channel of a session, created for its first reader. The caller adds a reader to it at once. */
  channel(session: string): SessionChannel {
    const existing = this.#channels.get(session);
    if (existing) return existing;
    const { engine, store, slices, limits, onFault } = this.#dependencies;
    this.#channelsMade += 1;
    const channel = new SessionChannel(
      session,
      this.#channelsMade,
      {
        engine,
        store,
        slices,
        onFault,
        reads: this.#reads,
        cache: this.#cache,
        counters: this.counters,
        recent: this.#recent,
        ...limits,
      },
      () => this.#channels.delete(session),
    );
    this.#channels.set(session, channel);
    return channel;
  }

  get openStreams(): number {
    return this.#streams.size;
  }

  get openSockets(): number {
    return this.#sockets;
  }

  get followedSessions(): number {
    return this.#channels.size;
  }

  /** Bytes waiting in sockets now. */
  get queuedBytes(): number {
    let bytes = 0;
    for (const stream of this.#streams) bytes += stream.queuedBytes;
    return bytes;
  }

  /** Ends every stream with a last comment. Idempotent. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#sweep);
    for (const stream of [...this.#streams]) stream.end("the daemon is shutting down", CLOSE_CODES.goingAway);
  }

  /** Ends the streams that were opened with a token, by its id. */
  endStreamsOf(token: string): void {
    for (const stream of [...this.#streams]) if (stream.caller?.access.token === token) endOfToken(stream);
  }

  /** What all channels keep of recent events, in characters. */
  get recentLength(): number {
    return this.#recent.length;
  }

  #keepAlive(): void {
    this.#recent.sweep();
    this.#cache.sweep();
    const now = Date.now();
    for (const stream of [...this.#streams]) {
      const { expiresAt = Number.POSITIVE_INFINITY } = stream.caller?.access ?? {};
      if (expiresAt <= now) stream.end("the token has expired", CLOSE_CODES.tokenEnded);
      else stream.keepAlive();
    }
  }
}

function endOfToken(stream: OpenStream): void {
  stream.end("the token is no longer valid", CLOSE_CODES.tokenEnded);
}
