import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openAiResponses } from "./openai-responses.ts";
import type { ContentBeat } from "./script.ts";
import { freeformToolCall, text, thinking, toolCall } from "./script.ts";

const piece = fc.string({ minLength: 1, maxLength: 8 });
const content: fc.Arbitrary<ContentBeat> = fc.oneof(
  fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => text(...pieces) as ContentBeat),
  fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => thinking(...pieces) as ContentBeat),
  fc.jsonValue().map((input) => toolCall("run", input) as ContentBeat),
  piece.map((input) => freeformToolCall("patch", input) as ContentBeat),
);

const body = { tools: [{ type: "custom", name: "patch" }] };

interface Frame {
  readonly type: string;
  readonly delta?: string;
  readonly item_id?: string;
  readonly item?: { readonly id: string };
  readonly response?: { readonly output: unknown };
}

function readFrames(frames: readonly string[]): Frame[] {
  const lines = frames.join("").split("\n");
  return lines.flatMap((line) => (line.startsWith("data: ") ? [JSON.parse(line.slice(6))] : []));
}

function options() {
  let ids = 0;
  const newId = (prefix: string) => {
    ids += 1;
    return `${prefix}_${ids}`;
  };
  return { model: "m", usage: {}, body, newId };
}

it("says the same in its deltas, its items and its end, and in one body", () => {
  fc.assert(
    fc.property(fc.array(content, { maxLength: 6 }), (beats) => {
      const ending = { reason: "end", usage: {} } as const;
      const stream = openAiResponses.createStream(options());
      const frames = readFrames([
        stream.start(),
        ...beats.flatMap((beat) => [...stream.content(beat)]),
        stream.end(ending),
      ]);
      const items = frames
        .filter(({ type }) => type === "response.output_item.done")
        .map(({ item }) => item!);
      expect(frames.at(-1)?.response?.output).toEqual(items);
      for (const item of items) {
        const deltas = frames.filter(({ item_id, delta }) => item_id === item.id && delta !== undefined);
        expect(JSON.stringify(item)).toContain(JSON.stringify(deltas.map(({ delta }) => delta).join("")));
      }
      const whole = openAiResponses.wholeReply(beats, ending, options());
      const withoutId = ({ id: _id, call_id: _call, ...rest }: { id: string; call_id?: string }) => rest;
      expect((whole.output as { id: string }[]).map(withoutId)).toEqual(items.map(withoutId));
    }),
  );
});

describe("requests", () => {
  it("have one message for each reply of the model, however many items it was", () => {
    const user = (words: string) => ({
      type: "message",
      role: "user",
      content: [{ type: "input_text", text: words }],
    });
    const { messages } = openAiResponses.readRequest({
      model: "m",
      input: [
        { type: "message", role: "developer", content: [{ type: "input_text", text: "be brief" }] },
        user("do it"),
        { type: "reasoning", summary: [] },
        { type: "function_call", name: "run" },
        { type: "custom_tool_call", name: "patch" },
        { type: "function_call_output", output: "ran" },
        { type: "custom_tool_call_output", output: "patched" },
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "done" }] },
        user("thanks"),
      ],
    });
    expect(messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "assistant", "user"]);
    expect(messages.at(-1)?.text).toBe("thanks");
  });
});
