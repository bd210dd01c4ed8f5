/**
 * What nodes write to each other on a stream: a line of words whose last one is the length of the bytes that follow it. Pure.
 *
 * Up, from the node that reads:
 * - `follow SESSION [SEQ]`, `leave SESSION`: the commits of a session are wanted, or no longer; those after SEQ too
 * - `feed`, `quiet`: what changes in all sessions is wanted, or no longer
 *
 * Down, from the node that has the sessions:
 * - `following SESSION`: every commit from now on follows; `moved SESSION`: it is not here, or no longer
 * - `events SESSION FIRST LAST`: as they were encoded for the log, one line each
 * - `news SESSION LAST`: there are events up to this one, to be read from the store
 * - `claimed SESSION`, `deleted SESSION`; `cut SESSION LAST`: the database has lost the events after this one
 * - `feeding`: every change from now on follows; `feed`: a list of changes
 * - `set TOPIC`, `tell TOPIC`: see the port PeerNews; `ready`: all that was set before is told
 *
 * Both ways: `beat`, at least once per second.
 */
import type { EncodedEvent } from "../../core/encoded-event.ts";

export interface PeerFrame {
  readonly kind: string;
  /** Between the kind and the length. */
  readonly words: readonly string[];
  readonly body: Buffer;
}

/** Longer ones are no frames of ours. */
const MAX_LINE_BYTES = 1024;
/** Events beyond it are read from the store. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;

const NEWLINE = 10;
const EMPTY = Buffer.alloc(0);

/** None of the words may have a space. */
export function encodeFrame(kind: string, words: readonly (string | number)[] = [], body = ""): Buffer {
  const length = Buffer.byteLength(body);
  const line = `${[kind, ...words, length].join(" ")}\n`;
  const frame = Buffer.allocUnsafe(line.length + length);
  frame.write(line, 0, "latin1");
  if (length > 0) frame.write(body, line.length, "utf8");
  return frame;
}

/** One frame for all peers. Their JSON was encoded for the log and stays as it is. */
export function encodeEvents(session: string, events: readonly EncodedEvent[]): Buffer {
  const first = events[0]!.seq;
  const last = events.at(-1)!.seq;
  let length = 0;
  for (const { json } of events) length += json.length + 1;
  // A character has three bytes at most.
  if (length > MAX_BODY_BYTES / 3) return encodeFrame("news", [session, last]);
  let body = "";
  for (const { json } of events) body += `${json}\n`;
  return encodeFrame("events", [session, first, last], body);
}

/** Undefined where the bytes are not as many events as they should be. */
export function decodeEvents({ words, body }: PeerFrame): EncodedEvent[] | undefined {
  const first = Number(words[1]);
  const last = Number(words[2]);
  const lines = body.toString().split("\n");
  lines.pop();
  if (!Number.isSafeInteger(first) || lines.length === 0 || last - first + 1 !== lines.length)
    return undefined;
  return lines.map((json, index) => ({ seq: first + index, json }));
}

/** Cuts frames out of chunks of bytes, which may end anywhere. */
export class FrameDecoder {
  #rest: Buffer = EMPTY;
  /** Chunks of a body that is not complete. */
  #chunks: Buffer[] = [];
  #waiting = 0;

  /** Throws when these are no frames; the stream is of no use then. */
  *push(chunk: Buffer): Generator<PeerFrame> {
    // A large body is joined once, when it is complete.
    if (this.#waiting > chunk.length) {
      this.#chunks.push(chunk);
      this.#waiting -= chunk.length;
      return;
    }
    let bytes = this.#join(chunk);
    for (;;) {
      const end = bytes.indexOf(NEWLINE);
      if (end === -1 || end > MAX_LINE_BYTES) break;
      const words = bytes.toString("latin1", 0, end).split(" ");
      const length = Number(words.pop());
      const kind = words.shift();
      if (kind === undefined || !Number.isSafeInteger(length) || length < 0 || length > MAX_BODY_BYTES)
        throw new Error("The peer does not speak our protocol.");
      const missing = end + 1 + length - bytes.length;
      if (missing > 0) {
        this.#keep(bytes, missing);
        return;
      }
      const body = length === 0 ? EMPTY : bytes.subarray(end + 1, end + 1 + length);
      bytes = bytes.subarray(end + 1 + length);
      yield { kind, words, body };
    }
    if (bytes.length > MAX_LINE_BYTES) throw new Error("The peer does not speak our protocol.");
    this.#rest = bytes;
  }

  #join(chunk: Buffer): Buffer {
    const parts = this.#rest.length > 0 ? [this.#rest, ...this.#chunks, chunk] : [...this.#chunks, chunk];
    this.#rest = EMPTY;
    this.#chunks = [];
    this.#waiting = 0;
    return parts.length === 1 ? chunk : Buffer.concat(parts);
  }

  #keep(bytes: Buffer, missing: number): void {
    this.#rest = bytes;
    this.#waiting = missing;
  }
}
