import { describe, expect, it } from "vitest";
import { foldMessages } from "../../core/fold-messages.ts";
import { Conversation, call, permission, text, YES } from "../../testkit/conversation.ts";
import { assistantMessages, liveChunks } from "./expect-consistent.test-support.ts";
import {
  adaptMessage,
  adaptStream,
  adaptUserMessage,
  createMessageAccumulator,
  joinSegments,
  splitSegments,
  toSseFrame,
} from "./library.ts";
import { plain } from "./sdk.test-support.ts";

const conversation = new Conversation()
  .prompt({ type: "text", text: "go" })
  .agent(...text("a", "May I?"), ...call("c1", "Bash", { command: "ls" }), permission("q1", "c1"))
  .answer(YES)
  .agent({ type: "tool.output", call: "c1", output: "a.ts" }, { type: "step.started" }, ...text("b", "ok"))
  .end()
  .prompt({ type: "text", text: "and now?" })
  .agent(...text("c", "Nothing."))
  .end();
const { log } = conversation;
const [message = ""] = assistantMessages(log);

describe("adaptMessage", () => {
  it("gives every message of the history as a client has it", () => {
    const messages = foldMessages(log).map((record) => adaptMessage(record));
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
    expect(messages[1]!.parts.map(({ type }) => type)).toContain("tool-Bash");
  });
});

describe("adaptStream", () => {
  const segments = splitSegments(liveChunks(log, message));
  const textOf = (...parts: Parameters<typeof joinSegments>[0]) =>
    `${joinSegments(parts).map(toSseFrame).join("")}data: [DONE]\n\n`;

  it("is one response: to the first ask, and after it", async () => {
    expect(await new Response(adaptStream(log)).text()).toBe(textOf(segments[0]!));
    expect(await new Response(adaptStream(log, { segments: 1 })).text()).toBe(textOf(segments[1]!));
  });

  it("is the whole message when asks are joined, and not the next one", async () => {
    expect(await new Response(adaptStream(log, { asks: "join" })).text()).toBe(textOf(...segments));
  });

  it("lets go of the events when nobody reads any more", async () => {
    let isReleased = false;
    async function* endless() {
      try {
        for (;;) yield* log.filter((event) => event.seq < 8);
      } finally {
        isReleased = true;
      }
    }
    const reader = adaptStream(endless()).getReader();
    await reader.read();
    await reader.cancel();
    expect(isReleased).toBe(true);
  });
});

describe("adaptUserMessage", () => {
  it("puts files before the text, with their content", async () => {
    const picture = new File([new Uint8Array([1, 2, 3])], "dot.png", { type: "image/png" });
    expect(await adaptUserMessage("What is this?", [picture])).toEqual([
      { type: "file", url: "data:image/png;base64,AQID", mediaType: "image/png", filename: "dot.png" },
      { type: "text", text: "What is this?" },
    ]);
    expect(await adaptUserMessage("", [new File(["x".repeat(100_000)], "")])).toMatchObject([
      { mediaType: "application/octet-stream" },
    ]);
    expect(await adaptUserMessage("hi")).toEqual([{ type: "text", text: "hi" }]);
  });
});

describe("createMessageAccumulator", () => {
  it("has the conversation, what it cost, and the agent's id of it", () => {
    const accumulator = createMessageAccumulator();
    expect([accumulator.getSessionMetadata(), accumulator.getAgentSessionId()]).toEqual([null, null]);
    for (const event of log) accumulator.process(event);
    const session = { agent: "test", agentSessionId: "native" };
    const expected = foldMessages(log).map((record) => adaptMessage(record, { session }));
    expect(plain(accumulator.getMessages())).toEqual(plain(expected));
    expect(accumulator.getSessionMetadata()).toMatchObject({ turns: 2, outcome: "completed", cost: 0 });
    expect(accumulator.getAgentSessionId()).toBe("native");
  });
});
