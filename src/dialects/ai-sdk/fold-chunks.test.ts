import { describe, expect, it } from "vitest";
import type { UIMessageChunk } from "./chunk.ts";
import { foldChunks } from "./fold-chunks.ts";
import { plain, readResponse, VERSIONS } from "./sdk.test-support.ts";

const head = { toolCallId: "c", toolName: "Read" };

/** Beginnings of streams, where parts are still open: whole messages are compared with the encoder's tests. */
const STREAMS: Record<string, UIMessageChunk[]> = {
  "an open text": [
    { type: "text-start", id: "p" },
    { type: "text-delta", id: "p", delta: "Hel" },
  ],
  "an input that streams": [
    { type: "tool-input-start", ...head, title: "Read" },
    { type: "tool-input-delta", toolCallId: "c", inputTextDelta: '{"path":"a.' },
  ],
  "an input of which nothing can be read yet": [
    { type: "tool-input-start", ...head },
    { type: "tool-input-delta", toolCallId: "c", inputTextDelta: " " },
  ],
  "a preview": [
    { type: "tool-input-available", ...head, input: {} },
    { type: "tool-output-available", toolCallId: "c", output: 1, preliminary: true },
  ],
  "a call that gets another name in the same step": [
    { type: "start-step" },
    { type: "tool-input-start", ...head },
    { type: "tool-input-available", ...head, toolName: "Write", input: {} },
  ],
  "metadata that is merged": [
    { type: "start", messageId: "m", messageMetadata: { session: "s", usage: { input: 1, output: 2 } } },
    { type: "message-metadata", messageMetadata: { usage: { input: 3 } } },
  ],
  "data that is replaced and data that passes": [
    { type: "data-plan", id: "plan", data: { entries: [] } },
    { type: "data-auth", id: "plan", data: { state: "ok" } },
    { type: "data-plan", id: "plan", data: { entries: [{ text: "do", status: "done" }] } },
    { type: "data-tool-output", id: "c", data: { call: "c", delta: "x" }, transient: true },
  ],
};

describe.each(VERSIONS)("the fold, beside the reader of %s", (version) => {
  it.each(Object.entries(STREAMS))("%s", async (_name, chunks) => {
    const whole: UIMessageChunk[] = [{ type: "start", messageId: "m", messageMetadata: {} }, ...chunks];
    const { message, errors } = await readResponse(version, whole);
    expect(errors).toEqual([]);
    expect(plain(foldChunks(whole))).toEqual(message);
  });
});

it("goes on with a message", () => {
  const message = foldChunks([{ type: "tool-input-available", ...head, input: {} }]);
  const result = foldChunks([{ type: "tool-output-available", toolCallId: "c", output: 1 }], message);
  expect(result.parts).toMatchObject([{ state: "output-available", output: 1 }]);
});

it.each<UIMessageChunk>([
  { type: "text-delta", id: "p", delta: "x" },
  { type: "text-end", id: "p" },
  { type: "tool-input-delta", toolCallId: "c", inputTextDelta: "{" },
  { type: "tool-output-denied", toolCallId: "c" },
])("does not take $type out of nowhere", (chunk) => {
  expect(() => foldChunks([chunk])).toThrow();
});
