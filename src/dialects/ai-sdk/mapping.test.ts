import { describe, expect, it } from "vitest";
import type { Draft } from "../../core/draft.ts";
import { Conversation } from "../../testkit/conversation.ts";
import type { UIMessageChunk } from "./chunk.ts";
import { assistantMessages, liveChunks } from "./expect-consistent.test-support.ts";
import { logOf, type ScenarioName } from "./scenarios.test-support.ts";
import { plain } from "./sdk.test-support.ts";

/** What these drafts add to a message, in whose log the first content is event 8. */
function chunksOf(...drafts: Draft[]): UIMessageChunk[] {
  const conversation = new Conversation().prompt().agent({ type: "step.started" }, ...drafts);
  return plain(liveChunks(conversation.log, "m1").slice(2));
}

describe("the mapping of an event", () => {
  const ours = (values: object) => ({ interlingua: values });
  const head = { toolCallId: "c8", toolName: "Bash", providerExecuted: true };
  const start: Draft = { type: "tool.start", call: "c", name: "Bash" };
  const started = { type: "tool-input-start", ...head };
  const filled = { type: "tool-input-available", ...head, input: {} };

  const rows: [name: string, drafts: Draft[], chunks: object[]][] = [
    [
      "text",
      [
        { type: "text.start", part: "p", purpose: "answer" },
        { type: "text.delta", part: "p", delta: "hi" },
        { type: "text.end", part: "p" },
      ],
      [
        { type: "text-start", id: "p8", providerMetadata: ours({ part: "p8", purpose: "answer" }) },
        { type: "text-delta", id: "p8", delta: "hi" },
        { type: "text-end", id: "p8" },
      ],
    ],
    [
      "reasoning",
      [{ type: "reasoning.delta", part: "p", delta: "hm" }],
      [
        { type: "reasoning-start", id: "p8", providerMetadata: ours({ part: "p8" }) },
        { type: "reasoning-delta", id: "p8", delta: "hm" },
      ],
    ],
    [
      "a call with streamed input",
      [
        { ...start, title: "Run", kind: "execute" },
        { type: "tool.input.delta", call: "c", delta: '{"a":' },
        { type: "tool.input", call: "c", input: { a: 1 } },
        { type: "tool.output", call: "c", output: "1", preliminary: true },
        { type: "tool.output", call: "c", output: "12" },
      ],
      [
        { ...started, title: "Run" },
        { type: "tool-input-delta", toolCallId: "c8", inputTextDelta: '{"a":' },
        {
          type: "tool-input-available",
          ...head,
          title: "Run",
          input: { a: 1 },
          providerMetadata: ours({ kind: "execute" }),
        },
        { type: "tool-output-available", toolCallId: "c8", output: "1", preliminary: true },
        { type: "tool-output-available", toolCallId: "c8", output: "12" },
      ],
    ],
    [
      "more about a call",
      [start, { type: "tool.input", call: "c", input: {} }, { ...start, title: "Run it" }],
      [started, filled, { ...filled, title: "Run it" }],
    ],
    [
      "a result whose input never came",
      [start, { type: "tool.output", call: "c", output: undefined }],
      [started, filled, { type: "tool-output-available", toolCallId: "c8", output: null }],
    ],
    [
      "a failed call",
      [start, { type: "tool.failed", call: "c", error: "exit 1", output: "oh", exitCode: 1 }],
      [
        started,
        filled,
        { type: "tool-output-error", toolCallId: "c8", errorText: "exit 1" },
        { type: "data-tool-result", id: "c8", data: { call: "c8", output: "oh", exitCode: 1 } },
      ],
    ],
    [
      "a call the agent itself denied",
      [start, { type: "tool.denied", call: "c", reason: "not allowed here" }],
      [started, filled, { type: "tool-output-error", toolCallId: "c8", errorText: "not allowed here" }],
    ],
    [
      "an abandoned call, with what it had said",
      [
        start,
        { type: "tool.output.delta", call: "c", delta: "line" },
        { type: "tool.abandoned", call: "c", reason: "stopped" },
      ],
      [
        started,
        { type: "data-tool-output", id: "c8", data: { call: "c8", delta: "line" }, transient: true },
        filled,
        { type: "tool-output-error", toolCallId: "c8", errorText: "stopped" },
        { type: "data-tool-result", id: "c8", data: { call: "c8", output: "line", unfinished: "lost" } },
      ],
    ],
    [
      "progress of a call",
      [start, { type: "tool.progress", call: "c", progress: 3 }],
      [started, { type: "data-tool-progress", id: "c8", data: { call: "c8", progress: 3 } }],
    ],
    [
      "a summary of calls",
      [start, { type: "tool.summary", calls: ["c"], text: "ran" }],
      [started, { type: "data-tool-summary", id: "9", data: { calls: ["c8"], text: "ran" } }],
    ],
    [
      "a file",
      [{ type: "file", url: "data:,x", mediaType: "text/plain", filename: "x.txt" }],
      [
        {
          type: "file",
          url: "data:,x",
          mediaType: "text/plain",
          providerMetadata: ours({ filename: "x.txt" }),
        },
      ],
    ],
    [
      "a source on the web",
      [{ type: "source", id: "s", url: "https://a.test/", title: "A" }],
      [{ type: "source-url", sourceId: "s", url: "https://a.test/", title: "A" }],
    ],
    [
      "a source that is a document",
      [{ type: "source", id: "s", filename: "a.pdf" }],
      [
        {
          type: "source-document",
          sourceId: "s",
          mediaType: "application/octet-stream",
          title: "a.pdf",
          filename: "a.pdf",
        },
      ],
    ],
    [
      "retracted text",
      [
        { type: "text.delta", part: "p", delta: "Wro" },
        { type: "content.discarded", parts: ["p"], calls: [], reason: "retry" },
      ],
      [
        { type: "text-start", id: "p8", providerMetadata: ours({ part: "p8" }) },
        { type: "text-delta", id: "p8", delta: "Wro" },
        { type: "text-end", id: "p8" },
        { type: "data-discarded", id: "11", data: { parts: ["p8"], calls: [], reason: "retry" } },
      ],
    ],
    [
      "a plan, always under one id",
      [{ type: "plan.updated", entries: [{ text: "do", status: "active" }] }],
      [{ type: "data-plan", id: "plan", data: { entries: [{ text: "do", status: "active" }] } }],
    ],
    [
      "an edited file",
      [{ type: "file.edited", path: "a", kind: "changed", diff: "@@" }],
      [{ type: "data-file-edit", id: "8", data: { path: "a", kind: "changed", diff: "@@" } }],
    ],
    [
      "a notice",
      [{ type: "notice", level: "info", code: "retry", text: "again" }],
      [{ type: "data-notice", id: "8", data: { level: "info", code: "retry", text: "again" } }],
    ],
    [
      "usage, added up",
      [
        { type: "usage", input: 1, cost: 0.1, model: "m" },
        { type: "usage", input: 2, cost: 0.2, context: { used: 3 } },
      ],
      [
        { type: "data-usage", id: "usage", data: { input: 1, cost: 0.1, model: "m" } },
        { type: "data-usage", id: "usage", data: { input: 3, cost: 0.3, model: "m", context: { used: 3 } } },
      ],
    ],
    [
      "a compaction, under one id",
      [{ type: "compaction.started" }, { type: "compaction.ended", summary: "short" }],
      [
        { type: "data-compaction", id: "8", data: { state: "started" } },
        { type: "data-compaction", id: "8", data: { state: "ended", summary: "short" } },
      ],
    ],
    [
      "a change of sign-in",
      [{ type: "auth.status", state: "ok" }],
      [{ type: "data-auth", id: "auth", data: { state: "ok" } }],
    ],
    ["what the agent said that nobody knows", [{ type: "agent.unknown", native: "x" }], []],
    [
      "a late result: nothing, it rewrites the stored message",
      [start, { type: "tool.output", call: "c", output: 1 }, { type: "tool.output", call: "c", output: 2 }],
      [started, filled, { type: "tool-output-available", toolCallId: "c8", output: 1 }],
    ],
    [
      "a step",
      [{ type: "step.ended" }, { type: "step.started" }],
      [{ type: "finish-step" }, { type: "start-step" }],
    ],
  ];

  it.each(rows)("%s", (_name, drafts, chunks) => {
    expect(chunksOf(...drafts)).toEqual(chunks);
  });
});

describe("sub-agents", () => {
  it("are told part by part, once a part has ended", () => {
    const chunks = chunksOf(
      { type: "tool.start", call: "c", name: "Task" },
      { type: "text.delta", part: "s", delta: "look", parent: "c" },
      { type: "tool.start", call: "d", name: "Grep", parent: "c" },
      { type: "tool.input", call: "d", input: { pattern: "x" }, parent: "c" },
      { type: "text.delta", part: "s", delta: "ing", parent: "c" },
      { type: "tool.output", call: "d", output: "y", parent: "c" },
      { type: "text.end", part: "s", parent: "c" },
    );
    expect(chunks.slice(1)).toMatchObject([
      {
        type: "data-subagent",
        id: "c8:1",
        data: {
          parent: "c8",
          part: { type: "tool-Grep", state: "output-available", input: { pattern: "x" }, output: "y" },
        },
      },
      { type: "data-subagent", id: "c8:2", data: { parent: "c8", part: { type: "text", text: "looking" } } },
    ]);
  });

  it("have a plan of their own", () => {
    const chunks = chunksOf(
      { type: "tool.start", call: "c", name: "Task" },
      { type: "plan.updated", entries: [], parent: "c" },
    );
    expect(chunks.at(-1)).toMatchObject({ type: "data-plan", id: "c8" });
  });
});

describe("the ends of a message", () => {
  const endOf = (name: ScenarioName) => {
    const chunks = plain(liveChunks(logOf(name), "m1"));
    return chunks.slice(chunks.findLastIndex((chunk) => chunk.type === "finish-step") + 1);
  };
  const metadata = (outcome: string) =>
    expect.objectContaining({ outcome, usage: {}, durationMs: expect.any(Number) });

  it("completed", () => {
    expect(endOf("text")).toEqual([
      { type: "finish", finishReason: "stop", messageMetadata: metadata("completed") },
    ]);
  });

  it("failed: its metadata comes before the error, since clients read nothing after it", () => {
    const error = { code: "overloaded", message: "The model is overloaded." };
    expect(endOf("error")).toEqual([
      { type: "message-metadata", messageMetadata: expect.objectContaining({ outcome: "failed", error }) },
      { type: "error", errorText: error.message },
      { type: "finish", finishReason: "error", messageMetadata: metadata("failed") },
    ]);
  });

  it("interrupted", () => {
    expect(endOf("interrupt")).toEqual([
      { type: "abort" },
      { type: "finish", finishReason: "other", messageMetadata: metadata("interrupted") },
    ]);
  });

  it("at a limit, and refused", () => {
    expect(endOf("limit")).toMatchObject([{ type: "finish", finishReason: "length" }]);
    expect(endOf("refused").at(-1)).toMatchObject({ type: "finish", finishReason: "content-filter" });
  });

  it("steered away: the next message of the turn ends it", () => {
    expect(endOf("steer")).toEqual([{ type: "finish", finishReason: "stop" }]);
    const log = logOf("steer");
    expect(liveChunks(log, assistantMessages(log)[1]!).at(-1)).toMatchObject({ finishReason: "stop" });
  });
});

describe("a call without a result", () => {
  const start: Draft[] = [
    { type: "tool.start", call: "c", name: "Task" },
    { type: "tool.start", call: "d", name: "Bash", parent: "c" },
  ];
  const whyOf = ({ log }: Conversation) =>
    liveChunks(log, "m1").flatMap((chunk) =>
      chunk.type === "data-tool-result" ? [chunk.data.unfinished] : [],
    );

  it("was stopped with its turn, also inside a sub-agent, whatever the agent says of it", () => {
    const conversation = new Conversation().prompt().agent(...start);
    conversation.act((machine) => machine.stopping("owner"));
    conversation.agent({ type: "tool.abandoned", call: "d", reason: "cancelled" }).end();
    expect(whyOf(conversation)).toEqual(["stopped", "stopped"]);
  });

  it("is lost when its turn ends first", () => {
    expect(
      whyOf(
        new Conversation()
          .prompt()
          .agent(...start)
          .end(),
      ),
    ).toEqual(["lost", "lost"]);
  });
});
