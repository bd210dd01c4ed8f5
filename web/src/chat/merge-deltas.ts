/**
 * Merges deltas in quick succession, before anybody else reads them. The stock chat takes every chunk through four streams,
 * checks it, and copies the whole streaming message for it: with a chunk per word, whoever types meanwhile waits.
 */
import { DefaultChatTransport, type UIMessage, type UIMessageChunk } from "ai";
import { sleep } from "../sleep.ts";
import { type Delta, lengthOf, mergedDelta, readDelta, writeDelta } from "./delta-line.ts";

type Bytes = Uint8Array<ArrayBufferLike>;

/** How long a delta waits for the next one: less than the page needs to draw anything. */
const WAIT_MS = 30;

/** And this much longer per character of the message, so that copying takes a constant share of the time. */
const WAIT_MS_PER_CHARACTER = 1 / 10_000;

/** After this long the page gets to render: a fast stream would never let it. */
const BREATH_MS = 12;

/** The stock transport, with fewer and larger deltas. */
export class MergingChatTransport<Message extends UIMessage> extends DefaultChatTransport<Message> {
  protected override processResponseStream(stream: ReadableStream<Bytes>): ReadableStream<UIMessageChunk> {
    return super.processResponseStream(mergeDeltas(stream));
  }
}

/** Server-sent events, with fewer and larger deltas. Every other line stays as it is and where it is. */
export function mergeDeltas(source: ReadableStream<Bytes>): ReadableStream<Bytes> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  /** A line that has not ended yet. A long one arrives in many pieces, and each is looked through once. */
  let pieces: string[] = [];
  let held: Delta | undefined;
  /** Whether the line before was a delta, which the empty line after it ends. */
  let isAfterDelta = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let written = 0;
  let lastBreath = performance.now();

  /** What is held, which is not held any more. */
  function release(): string {
    clearTimeout(timer);
    timer = undefined;
    const delta = held;
    held = undefined;
    return delta ? writeDelta(delta) : "";
  }

  /** What can go on when this line has come. */
  function take(line: string): string {
    if (isAfterDelta && line === "") {
      isAfterDelta = false;
      return "";
    }
    const delta = readDelta(line);
    isAfterDelta = delta !== undefined;
    if (!delta) return `${release()}${line}\n`;
    written += lengthOf(delta);
    const merged = held && mergedDelta(held, delta);
    const before = merged ? "" : release();
    held = merged ?? delta;
    return before;
  }

  function takeAll(text: string): string {
    const [first, ...others] = text.split("\n");
    pieces.push(first!);
    let output = "";
    for (const next of others) {
      output += take(pieces.join(""));
      pieces = [next];
    }
    return output;
  }

  type Controller = TransformStreamDefaultController<Bytes>;

  function send(text: string, controller: Controller): void {
    if (text !== "") controller.enqueue(encoder.encode(text));
  }

  function releaseSoon(controller: Controller): void {
    timer ??= setTimeout(
      () => {
        try {
          send(release(), controller);
        } catch {
          // The reader has left.
        }
      },
      WAIT_MS + written * WAIT_MS_PER_CHARACTER,
    );
  }

  return source.pipeThrough(
    new TransformStream<Bytes, Bytes>({
      async transform(bytes, controller) {
        send(takeAll(decoder.decode(bytes, { stream: true })), controller);
        if (held) releaseSoon(controller);
        if (performance.now() - lastBreath < BREATH_MS) return;
        await sleep(0);
        lastBreath = performance.now();
      },
      flush(controller) {
        send(release() + pieces.join(""), controller);
      },
    }),
  );
}
