import fc from "fast-check";
import { expect, test } from "vitest";
import { messageBlocks } from "../chat/message-blocks.ts";
import type { UIMessagePart } from "../chat/page-message.ts";
import { summarizeRun, toolRuns } from "./tool-runs.ts";

let calls = 0;

function tool(kind: string, more: object = {}): UIMessagePart {
  return {
    type: "tool-x",
    toolCallId: `c${calls++}`,
    state: "output-available",
    input: {},
    callProviderMetadata: { interlingua: { kind } },
    ...more,
  } as UIMessagePart;
}

const thought = { type: "reasoning", text: "hm", state: "done" } as UIMessagePart;
const text = { type: "text", text: "so", state: "done" } as UIMessagePart;

function kindsOf(parts: UIMessagePart[], isLive = false): string[] {
  return toolRuns(messageBlocks({ id: "m", role: "assistant", parts }), isLive).map((block) =>
    block.kind === "run" ? `run of ${block.blocks.length}` : block.kind,
  );
}

test("calls that are over become one line, with what was thought between them", () => {
  expect(kindsOf([text, tool("read"), thought, tool("read"), tool("execute"), thought, text])).toEqual([
    "text",
    "run of 4",
    "reasoning",
    "text",
  ]);
  expect(kindsOf([tool("read"), tool("read")])).toEqual(["tool", "tool"]);
});

test("the newest call of a turn that goes on stays in sight, and so does one that runs", () => {
  const done = [tool("read"), tool("read"), tool("read")];
  expect(kindsOf([...done, tool("read")], true)).toEqual(["run of 3", "tool"]);
  expect(kindsOf([...done, tool("execute", { state: "input-available" })], true)).toEqual([
    "run of 3",
    "tool",
  ]);
  expect(kindsOf(done, true)).toEqual(["tool", "tool", "tool"]);
});

test("what a person decided stays in sight", () => {
  const asked = tool("edit", { toolCallId: "asked" });
  const ask = (effect: string, kind = "permission"): UIMessagePart => ({
    type: "data-ask",
    id: "a",
    data: {
      ask: "a",
      kind,
      title: "May I?",
      options: [],
      state: "answered",
      call: "asked",
      answer: { effect, by: "ada" },
    } as never,
  });
  const calls = [tool("read"), tool("read"), asked, tool("read"), tool("read")];
  expect(kindsOf([...calls, ask("once")])).toEqual(["run of 5"]);
  expect(kindsOf([...calls, ask("reject")])).toEqual(["tool", "tool", "tool", "tool", "tool"]);
  expect(kindsOf([...calls, ask("once", "plan")])).toEqual(["tool", "tool", "tool", "tool", "tool"]);
});

test("a run says what was done in it", () => {
  const parts = [
    tool("read"),
    tool("read"),
    tool("execute"),
    tool("edit"),
    tool("strange"),
    tool("execute", { state: "output-error", errorText: "no" }),
  ];
  const blocks = messageBlocks({ id: "m", role: "assistant", parts });
  expect(summarizeRun(blocks)).toEqual({
    text: "Read 2 files, ran 2 commands, edited a file, used a tool",
    failed: 1,
  });
});

test("nothing is lost and nothing changes places", () => {
  const part = fc.constantFrom(0, 1, 2, 3, 4);
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), fc.boolean(), (kinds, isLive) => {
      const parts = kinds.map((kind) =>
        kind === 0
          ? text
          : kind === 1
            ? thought
            : tool("read", kind === 2 ? { state: "input-available" } : {}),
      );
      const blocks = messageBlocks({ id: "m", role: "assistant", parts });
      const shown = toolRuns(blocks, isLive).flatMap((block) =>
        block.kind === "run" ? block.blocks : [block],
      );
      expect(shown).toEqual(blocks);
    }),
  );
});
