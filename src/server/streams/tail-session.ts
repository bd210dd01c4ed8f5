/** Sends one session's log to a stream, from a cursor until the session ends. */
import type { Logger } from "pino";
import type { Sink } from "../../dialects/dialect.ts";
import { CLOSE_CODES } from "../../protocol/close-code.ts";
import { eventsLost } from "../../protocol/refusals.ts";
import { endAfterFailure } from "./end-after-failure.ts";
import type { Streams } from "./fan-out.ts";
import { LogReader } from "./log-reader.ts";
import type { LogSlice } from "./log-slice.ts";
import { shownSlice } from "./shown-slice.ts";

export interface Tail {
  fanOut: Pick<Streams, "watch" | "channel" | "views">;
  stream: Sink;
  logger: Logger;
  /** Adds something to what is sent. The next slice waits for it. */
  prepare?(slice: LogSlice): Promise<LogSlice>;
}

/** `isClosed` if the session was when its reader came, who may know its end already and lack what was said after it. */
export function tailSession(tail: Tail, session: string, after: number, isClosed = false): void {
  const { stream } = tail;
  const end = () => stream.end("the session is closed");
  tailLog(tail, session, after, {
    send(slice) {
      stream.write(slice.frame);
      if (slice.closesSession) end();
    },
    ...(isClosed && { onLevel: end }),
  });
}

export interface TailOutput {
  /** `stop` leaves the stream open. */
  send(slice: LogSlice, stop: () => void): void;
  /** Called whenever everything committed was sent. */
  onLevel?(): void;
  /** The seq of an event that was acknowledged. If the store does not have it, waiting for it would never end. */
  readonly acknowledged?: number;
}

/** Tails a session with the caller's own `send`. The stream ends with the session. */
export function tailLog(
  { fanOut, stream, logger, prepare }: Tail,
  session: string,
  after: number,
  output: TailOutput,
): void {
  let isPreparing = false;
  let isStopped = false;
  let isLookedFor = false;
  const onError = (error: unknown) => endAfterFailure(stream, logger, session, error);
  const leave = fanOut.watch(stream, session);
  const reader: LogReader = new LogReader(fanOut.channel(session), after, {
    get isFull() {
      return isPreparing || stream.isFull;
    },
    send: (read) => {
      const slice = shownSlice(read, stream);
      if (prepare) void sendPrepared(prepare(slice));
      else output.send(slice, stop);
    },
    onLevel: () => {
      const { acknowledged = 0 } = output;
      if (reader.cursor < acknowledged && !isLookedFor) void lookFor(acknowledged);
      if (!isPreparing) output.onLevel?.();
    },
    onDeleted: () => stream.end("the session was deleted", CLOSE_CODES.sessionDeleted),
    onError,
  });
  async function lookFor(seq: number): Promise<void> {
    isLookedFor = true;
    const channel = fanOut.channel(session);
    // While the store cannot be read, the owner of the session still sends its events.
    const isRead = await channel.read(Math.min(seq - 1, channel.head)).then(
      () => true,
      () => false,
    );
    if (isRead && stream.isOpen && channel.head < seq) onError(eventsLost(session, channel.head));
  }
  async function sendPrepared(preparing: Promise<LogSlice>): Promise<void> {
    isPreparing = true;
    try {
      const slice = await preparing;
      isPreparing = false;
      if (isStopped || !stream.isOpen) return;
      output.send(slice, stop);
      if (isStopped) return;
      if (reader.isLevel) output.onLevel?.();
      else reader.resume();
    } catch (error) {
      onError(error);
    }
  }
  const stopListening = stream.onDrain(() => reader.resume());
  const forget = stream.onClose(() => reader.stop());
  function stop(): void {
    isStopped = true;
    reader.stop();
    stopListening();
    forget();
    leave();
  }
  reader.start();
}
