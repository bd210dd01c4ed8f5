import fc from "fast-check";
import { expect, it } from "vitest";
import { framesOf } from "./anthropic-client.test-support.ts";
import { anthropicMessages } from "./anthropic-messages.ts";
import type { ContentBeat } from "./script.ts";

const pieces = fc.array(fc.string({ minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 });

const content: fc.Arbitrary<ContentBeat> = fc.oneof(
  fc.record({ beat: fc.constant("text" as const), pieces }),
  fc.record({ beat: fc.constant("thinking" as const), pieces, signature: fc.constant("signed") }),
  fc.record({ beat: fc.constant("redacted-thinking" as const), data: fc.string() }),
  fc.record({
    beat: fc.constant("tool-call" as const),
    name: fc.constantFrom("Read", "Bash"),
    id: fc.string({ minLength: 1 }),
    pieces: fc.jsonValue().map((input) => [JSON.stringify(input)]),
  }),
);

/** Reads a stream as clients do. */
function readBlocks(stream: string): object[] {
  const blocks: Record<string, unknown>[] = [];
  const inputs: string[] = [];
  for (const { index = 0, delta, content_block, type } of framesOf(stream)) {
    const block = blocks[index];
    if (content_block) blocks[index] = { ...content_block };
    if (delta?.type === "text_delta") block!.text += String(delta.text);
    if (delta?.type === "thinking_delta") block!.thinking += String(delta.thinking);
    if (delta?.type === "signature_delta") block!.signature = delta.signature;
    if (delta?.type === "input_json_delta") inputs[index] = (inputs[index] ?? "") + delta.partial_json;
    if (type === "content_block_stop" && block?.type === "tool_use") block.input = JSON.parse(inputs[index]!);
  }
  return blocks;
}

it("says the same in a stream and in one body", () => {
  fc.assert(
    fc.property(fc.array(content, { maxLength: 6 }), (beats) => {
      const options = { model: "m", usage: {}, newId: (prefix: string) => `${prefix}_1`, body: {} };
      const ending = { reason: "end", usage: {} } as const;
      const stream = anthropicMessages.createStream(options);
      const frames = [
        stream.start(),
        ...beats.flatMap((beat) => [...stream.content(beat)]),
        stream.end(ending),
      ];
      const whole = anthropicMessages.wholeReply(beats, ending, options);
      expect(readBlocks(frames.join(""))).toEqual(whole.content);
    }),
  );
});
