/** One assistant message as the AI SDK's UI message stream: each chunk once, whatever happens to the connection. */
import { type FollowOptions, follow } from "./follow.ts";
import type { HttpClient } from "./http.ts";
import type { UIMessageChunk } from "./types.ts";

const DONE = "[DONE]";

interface WantedMessage {
  readonly session: string;
  /** Its id, or that of the prompt it answers. */
  readonly message: string;
}

interface StreamOptions extends FollowOptions {
  readonly include?: "raw";
}

/** A response from its chunk `startIndex` on; undefined when there is none. */
type OpenResponse = (startIndex: number, signal: AbortSignal) => Promise<Response | undefined>;

/** The chunks of a response that can be opened again. */
export async function* readChunks(
  http: HttpClient,
  openResponse: OpenResponse,
  options: FollowOptions & { mayReopen?(): boolean },
): AsyncGenerator<UIMessageChunk, void> {
  let count = 0;
  let isDone = false;
  /** The daemon ends a stream that it cuts off with such a chunk, which is not of the message. */
  let error: UIMessageChunk | undefined;
  const connection = {
    async open(signal: AbortSignal) {
      error = undefined;
      const response = await openResponse(count, signal);
      options.onState?.({ state: "live" });
      return response;
    },
    mayReopen: options.mayReopen,
    isOver: () => isDone,
  };
  for await (const { data } of follow(http, connection, options)) {
    const chunk = data === DONE ? undefined : (JSON.parse(data) as UIMessageChunk);
    isDone = chunk === undefined;
    const whole = [error, chunk?.type === "error" ? undefined : chunk].filter((one) => one !== undefined);
    error = chunk?.type === "error" ? chunk : undefined;
    count += whole.length;
    yield* whole;
  }
  options.signal?.throwIfAborted();
}

function messageChunks(http: HttpClient, { session, message }: WantedMessage, options: StreamOptions) {
  const route = "GET /api/chat/{id}/messages/{message}/stream";
  const open: OpenResponse = (startIndex, signal) => {
    const request = {
      params: { id: session, message },
      query: { startIndex, include: options.include },
    };
    return http.openRoute(route, request, { accept: "text/event-stream", signal });
  };
  return readChunks(http, open, options);
}

/** Begins when it is read. Cancelling it stops the reading, not the turn. */
export function uiMessageStream<Chunk>(
  http: HttpClient,
  wanted: Promise<WantedMessage>,
  options: StreamOptions,
): ReadableStream<Chunk> {
  const cancelling = new AbortController();
  const signals = [cancelling.signal, ...(options.signal ? [options.signal] : [])];
  let chunks: AsyncGenerator<UIMessageChunk, void> | undefined;
  return new ReadableStream<Chunk>(
    {
      async pull(controller) {
        chunks ??= messageChunks(http, await wanted, { ...options, signal: AbortSignal.any(signals) });
        const { done, value } = await chunks.next();
        if (cancelling.signal.aborted) return;
        if (done) controller.close();
        else controller.enqueue(value as Chunk);
      },
      cancel: () => cancelling.abort(),
    },
    { highWaterMark: 0 },
  );
}
