/** What the real clients make of a response that was adapted from an agent's own messages. */
import { expect } from "vitest";
import type { UIMessageChunk } from "../../src/dialects/ai-sdk/chunk.ts";
import { foldChunks } from "../../src/dialects/ai-sdk/fold-chunks.ts";
import {
  chunkProblem,
  plain,
  readResponse,
  SDKS,
  unsafeFields,
  VERSIONS,
} from "../../src/dialects/ai-sdk/sdk.test-support.ts";
import type { UIMessage } from "../../src/dialects/ai-sdk/ui-message.ts";

/** The chunks of a response, which ends as clients expect. */
export async function chunksOf(stream: ReadableStream<Uint8Array>): Promise<UIMessageChunk[]> {
  const frames = (await new Response(stream).text()).split("\n\n");
  expect(frames.splice(-2)).toEqual(["data: [DONE]", ""]);
  return frames.map((frame) => JSON.parse(frame.replace(/^data: /, "")));
}

/** Every released client takes every chunk, and the message they read is the one we store. */
export async function expectReadable(chunks: readonly UIMessageChunk[]): Promise<UIMessage | undefined> {
  const types = chunks.map(({ type }) => type);
  expect(types.filter((type) => type === "start").length).toBe(chunks.length === 0 ? 0 : 1);
  for (const chunk of chunks) {
    expect(unsafeFields(chunk), chunk.type).toEqual([]);
    for (const version of VERSIONS) expect(await chunkProblem(version, chunk)).toBeUndefined();
  }
  if (chunks.length === 0) return undefined;
  const failures = chunks.flatMap((chunk) => (chunk.type === "error" ? [chunk.errorText] : []));
  const folded = plain(foldChunks(plain(chunks)));
  for (const version of VERSIONS) {
    const { message, errors } = await readResponse(version, chunks);
    expect(errors).toEqual(failures);
    if (failures.length === 0) expect(message).toEqual(folded);
  }
  return folded;
}

export async function expectValidMessages(messages: readonly UIMessage[]): Promise<void> {
  const shown = messages.filter(({ parts }) => parts.length > 0);
  if (shown.length === 0) return;
  for (const version of VERSIONS) {
    const checked = await SDKS[version].safeValidateUIMessages({ messages: plain(shown) });
    expect(checked.error).toBeUndefined();
  }
}

export function textOf(messages: readonly UIMessage[]): string {
  return messages
    .filter(({ role }) => role === "assistant")
    .flatMap(({ parts }) => parts)
    .map((part) => (part.type === "text" && "text" in part ? part.text : ""))
    .join("");
}
