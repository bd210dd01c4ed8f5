import type { UIMessageChunk } from "ai";
import { describe, expect, test } from "vitest";
import { mergeDeltas } from "./merge-deltas.ts";

const text = (id: string, delta: string): UIMessageChunk => ({ type: "text-delta", id, delta });
const frame = (chunk: UIMessageChunk): string => `data: ${JSON.stringify(chunk)}\n\n`;

/** What comes out, in the pieces in which it does. */
async function merged(pieces: readonly (string | Uint8Array)[]): Promise<string[]> {
  const encoder = new TextEncoder();
  const source = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces)
        controller.enqueue(typeof piece === "string" ? encoder.encode(piece) : piece);
      controller.close();
    },
  });
  const decoder = new TextDecoder();
  const result: string[] = [];
  const reader = mergeDeltas(source).getReader();
  while (true) {
    const { done, value } = await reader.read();
    if (done) return result;
    result.push(decoder.decode(value, { stream: true }));
  }
}

async function mergedText(pieces: readonly (string | Uint8Array)[]): Promise<string> {
  return (await merged(pieces)).join("");
}

describe("merged deltas", () => {
  test("deltas of one part become one, and everything else stays in its place", async () => {
    const chunks: UIMessageChunk[] = [
      { type: "text-start", id: "a" },
      text("a", "one "),
      text("a", "two "),
      { type: "reasoning-delta", id: "a", delta: "hm" },
      text("a", "three"),
      text("b", "four"),
      { type: "tool-input-delta", toolCallId: "c", inputTextDelta: "{" },
      { type: "tool-input-delta", toolCallId: "c", inputTextDelta: "}" },
      { type: "tool-input-delta", toolCallId: "d", inputTextDelta: "{" },
      { type: "text-end", id: "a" },
      text("b", "!"),
    ];
    const fewer: UIMessageChunk[] = [
      { type: "text-start", id: "a" },
      text("a", "one two "),
      { type: "reasoning-delta", id: "a", delta: "hm" },
      text("a", "three"),
      text("b", "four"),
      { type: "tool-input-delta", toolCallId: "c", inputTextDelta: "{}" },
      { type: "tool-input-delta", toolCallId: "d", inputTextDelta: "{" },
      { type: "text-end", id: "a" },
      text("b", "!"),
    ];
    expect(await mergedText([chunks.map(frame).join("")])).toBe(fewer.map(frame).join(""));
  });

  test("what is no delta comes out as it came", async () => {
    const others =
      ': keep-alive\n\ndata: {"type":"text-delta", broken\n\nid: 7\ndata: {}\n\ndata: [DONE]\n\n';
    expect(await mergedText([others])).toBe(others);
    expect(await mergedText(["data: [DONE]"])).toBe("data: [DONE]");
  });

  test("a delta with metadata of its own keeps it", async () => {
    const told = frame({ ...text("a", "two"), providerMetadata: { agent: { key: 1 } } } as UIMessageChunk);
    expect(await mergedText([frame(text("a", "one")) + told])).toBe(frame(text("a", "one")) + told);
  });

  test("it does not matter where the pieces of a response are cut", async () => {
    const whole = new TextEncoder().encode(
      [text("a", "grün "), text("a", "🙂\n\u2028"), text("b", "!")].map(frame).join(""),
    );
    const wanted = [text("a", "grün 🙂\n\u2028"), text("b", "!")].map(frame).join("");
    expect(await mergedText(Array.from(whole, (byte) => Uint8Array.of(byte)))).toBe(wanted);
    for (let cut = 1; cut < whole.length; cut += 1)
      expect(await mergedText([whole.slice(0, cut), whole.slice(cut)])).toBe(wanted);
  });

  test("100,000 deltas that come at once cost a handful of pieces", async () => {
    const deltas = frame(text("a", "word ")).repeat(100);
    const pieces = await merged(Array.from({ length: 1000 }, () => deltas));
    const words = pieces.map((piece) => JSON.parse(piece.slice("data: ".length)).delta).join("");
    expect(words).toBe("word ".repeat(100_000));
    expect(pieces.length).toBeLessThan(1000);
  });

  test("a delta does not wait for the next one for ever", async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const reader = mergeDeltas(readable).getReader();
    void writable.getWriter().write(new TextEncoder().encode(frame(text("a", "alone"))));
    const { value } = await reader.read();
    expect(new TextDecoder().decode(value)).toBe(frame(text("a", "alone")));
    await reader.cancel();
  });
});
