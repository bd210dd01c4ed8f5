import { expect, test } from "vitest";
import { messageBlocks, type ToolBlock } from "./message-blocks.ts";
import type { AskData, UIMessagePart } from "./page-message.ts";

function blocksOf(...parts: UIMessagePart[]) {
  return messageBlocks({ id: "m", role: "assistant", parts });
}

function tool(call: string, more: object = {}): UIMessagePart {
  return { type: "tool-run_command", toolCallId: call, state: "output-available", input: {}, ...more };
}

function text(value: string, part: string): UIMessagePart {
  return { type: "text", text: value, state: "done", providerMetadata: { interlingua: { part } } };
}

function ask(id: string, more: Partial<AskData> = {}): UIMessagePart {
  const data: AskData = { ask: id, kind: "permission", title: id, options: [], state: "open", ...more };
  return { type: "data-ask", id, data };
}

test("results, progress, edits and asks stand with their call", () => {
  const edit = { path: "a.ts", kind: "changed" as const, diff: "", call: "c1" };
  const blocks = blocksOf(
    ask("a1", { call: "c1" }),
    tool("c1", { title: "Run it" }),
    { type: "data-tool-progress", id: "c1", data: { call: "c1", progress: { found: 1 } } },
    { type: "data-file-edit", id: "7", data: edit },
    { type: "data-tool-result", id: "c1", data: { call: "c1", exitCode: 0 } },
  );
  const call = blocks.find((block) => block.kind === "tool") as ToolBlock;
  expect(call).toMatchObject({ name: "run_command", title: "Run it", progress: { found: 1 }, edits: [edit] });
  expect(call.result).toEqual({ call: "c1", exitCode: 0 });
  expect(call.asks.map(({ ask }) => ask)).toEqual(["a1"]);
  expect(blocks).toHaveLength(1);
});

test("a call that only carries an ask is not shown beside it", () => {
  const blocks = blocksOf(
    ask("a9", { kind: "question" }),
    tool("question_a9", { type: "tool-question", state: "input-available" }),
  );
  expect(blocks.map(({ kind }) => kind)).toEqual(["ask"]);
});

test("what a sub-agent did stands inside the call that started it, at any depth", () => {
  const blocks = blocksOf(
    tool("c1"),
    { type: "data-subagent", id: "c1:1", data: { parent: "c1", part: { type: "reasoning", text: "hm" } } },
    { type: "data-subagent", id: "c1:2", data: { parent: "c1", part: tool("c2") } },
    { type: "data-subagent", id: "c2:1", data: { parent: "c2", part: { type: "text", text: "deep" } } },
  );
  const [outer] = blocks as [ToolBlock];
  expect(blocks).toHaveLength(1);
  expect(outer.children.map(({ kind }) => kind)).toEqual(["reasoning", "tool"]);
  expect((outer.children[1] as ToolBlock).children).toMatchObject([{ kind: "text", text: "deep" }]);
});

test("content that was taken back is folded under its reason", () => {
  const blocks = blocksOf(
    text("The answer is forty-", "p1"),
    tool("c1"),
    { type: "data-discarded", id: "5", data: { parts: ["p1"], calls: ["c1"], reason: "lost" } },
    text("The answer is forty-two.", "p2"),
  );
  expect(blocks).toMatchObject([
    { kind: "discarded", reason: "lost", blocks: [{ kind: "text" }, { kind: "tool" }] },
    { kind: "text", text: "The answer is forty-two." },
  ]);
});

test("sources that follow one another are one list", () => {
  const source = (id: string): UIMessagePart => ({
    type: "source-url",
    sourceId: id,
    url: `https://x/${id}`,
  });
  expect(blocksOf(source("1"), source("2"), text("and", "p"), source("3")).map(({ kind }) => kind)).toEqual([
    "sources",
    "text",
    "sources",
  ]);
});
