/**
 * Merges deltas in quick succession. The stock chat copies the whole streaming message for every chunk, so a chunk per
 * word would cost more with every word.
 */
import { DefaultChatTransport, type UIMessage, type UIMessageChunk } from "ai";

/** How long a delta waits for the next one: less than the page needs to draw anything. */
const WAIT_MS = 30;

/** And this much longer per character of the message, so that copying takes a constant share of the time. */
const WAIT_MS_PER_CHARACTER = 1 / 10_000;

/** After this long the page gets to render: a fast stream would never let it. */
const BREATH_MS = 12;

/** The stock transport, with fewer and larger deltas. */
export class MergingChatTransport<Message extends UIMessage> extends DefaultChatTransport<Message> {
  protected override processResponseStream(
    stream: ReadableStream<Uint8Array<ArrayBufferLike>>,
  ): ReadableStream<UIMessageChunk> {
    return mergeDeltas(super.processResponseStream(stream));
  }
}

export function mergeDeltas(source: ReadableStream<UIMessageChunk>): ReadableStream<UIMessageChunk> {
  let held: UIMessageChunk | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let written = 0;
  let lastBreath = performance.now();

  function release(controller: TransformStreamDefaultController<UIMessageChunk>): void {
    clearTimeout(timer);
    timer = undefined;
    const chunk = held;
    held = undefined;
    if (chunk) controller.enqueue(chunk);
  }

  function take(chunk: UIMessageChunk, controller: TransformStreamDefaultController<UIMessageChunk>): void {
    const merged = held && mergedDelta(held, chunk);
    if (isDelta(chunk)) written += deltaOf(chunk).length;
    if (merged) {
      held = merged;
      return;
    }
    release(controller);
    if (!isDelta(chunk)) return controller.enqueue(chunk);
    held = chunk;
    timer = setTimeout(
      () => {
        try {
          release(controller);
        } catch {
          // The reader has left.
        }
      },
      WAIT_MS + written * WAIT_MS_PER_CHARACTER,
    );
  }

  return source.pipeThrough(
    new TransformStream<UIMessageChunk, UIMessageChunk>({
      async transform(chunk, controller) {
        take(chunk, controller);
        if (performance.now() - lastBreath < BREATH_MS) return;
        await new Promise((resolve) => setTimeout(resolve));
        lastBreath = performance.now();
      },
      flush: release,
    }),
  );
}

type Delta = Extract<UIMessageChunk, { type: "text-delta" | "reasoning-delta" | "tool-input-delta" }>;

function isDelta(chunk: UIMessageChunk): chunk is Delta {
  return chunk.type === "text-delta" || chunk.type === "reasoning-delta" || chunk.type === "tool-input-delta";
}

function deltaOf(chunk: Delta): string {
  return chunk.type === "tool-input-delta" ? chunk.inputTextDelta : chunk.delta;
}

/** Both merged; undefined if they do not belong to the same part. */
function mergedDelta(first: UIMessageChunk, second: UIMessageChunk): UIMessageChunk | undefined {
  if (first.type === "tool-input-delta" && second.type === "tool-input-delta") {
    if (first.toolCallId !== second.toolCallId) return undefined;
    return { ...first, inputTextDelta: first.inputTextDelta + second.inputTextDelta };
  }
  if (first.type !== "text-delta" && first.type !== "reasoning-delta") return undefined;
  if (second.type !== first.type || second.id !== first.id || second.providerMetadata) return undefined;
  return { ...first, delta: first.delta + second.delta };
}
