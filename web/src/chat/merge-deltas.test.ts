import type { UIMessageChunk } from "ai";
import { describe, expect, test } from "vitest";
import { mergeDeltas } from "./merge-deltas.ts";

async function merged(chunks: UIMessageChunk[]): Promise<UIMessageChunk[]> {
  const source = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const result: UIMessageChunk[] = [];
  const reader = mergeDeltas(source).getReader();
  while (true) {
    const { done, value } = await reader.read();
    if (done) return result;
    result.push(value);
  }
}

const text = (id: string, delta: string): UIMessageChunk => ({ type: "text-delta", id, delta });

describe("merged deltas", () => {
  test("deltas of one part become one, and everything else stays in its place", async () => {
    expect(
      await merged([
        { type: "text-start", id: "a" },
        text("a", "one "),
        text("a", "two "),
        { type: "reasoning-delta", id: "a", delta: "hm" },
        text("a", "three"),
        text("b", "four"),
        { type: "tool-input-delta", toolCallId: "c", inputTextDelta: "{" },
        { type: "tool-input-delta", toolCallId: "c", inputTextDelta: "}" },
        { type: "text-end", id: "a" },
        text("b", "!"),
      ]),
    ).toEqual([
      { type: "text-start", id: "a" },
      text("a", "one two "),
      { type: "reasoning-delta", id: "a", delta: "hm" },
      text("a", "three"),
      text("b", "four"),
      { type: "tool-input-delta", toolCallId: "c", inputTextDelta: "{}" },
      { type: "text-end", id: "a" },
      text("b", "!"),
    ]);
  });

  test("100,000 deltas that come at once cost a handful of chunks", async () => {
    const chunks = await merged(Array.from({ length: 100_000 }, () => text("a", "word ")));
    expect(chunks.map((chunk) => (chunk.type === "text-delta" ? chunk.delta : "")).join("")).toBe(
      "word ".repeat(100_000),
    );
    expect(chunks.length).toBeLessThan(1000);
  });

  test("a delta does not wait for the next one for ever", async () => {
    const { readable, writable } = new TransformStream<UIMessageChunk, UIMessageChunk>();
    const reader = mergeDeltas(readable).getReader();
    const writer = writable.getWriter();
    void writer.write(text("a", "alone"));
    expect(await reader.read()).toEqual({ done: false, value: text("a", "alone") });
    await reader.cancel();
  });
});
