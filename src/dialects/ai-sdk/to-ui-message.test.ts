import { describe, expect, it } from "vitest";
import { foldMessages } from "../../core/fold-messages.ts";
import { Conversation, call, permission, text, YES } from "../../testkit/conversation.ts";
import { foldChunks } from "./fold-chunks.ts";
import { logOf } from "./scenarios.test-support.ts";
import { plain } from "./sdk.test-support.ts";
import { messageChunks, toUIMessage } from "./to-ui-message.ts";
import { isToolPart } from "./ui-message.ts";

const messagesOf = (conversation: Conversation) =>
  foldMessages(conversation.log).map((record) => toUIMessage(record));

describe("messages of people and of the system", () => {
  it("have what was said and attached", () => {
    const file = { type: "file", url: "data:,x", mediaType: "text/plain", filename: "x.txt" } as const;
    const [message] = messagesOf(new Conversation().prompt(file, { type: "text", text: "read this" }));
    expect(message).toEqual({
      id: "u1",
      role: "user",
      metadata: { createdAt: expect.any(Number), turn: "t4" },
      parts: [file, { type: "text", text: "read this" }],
    });
  });

  it("say why the agent began by itself", () => {
    const [system, answer] = foldMessages(logOf("an agent-origin turn")).map((record) => toUIMessage(record));
    expect(system).toMatchObject({ role: "system", parts: [{ type: "text", text: "The build ended." }] });
    expect(answer).toMatchObject({
      role: "assistant",
      metadata: { replyTo: system?.id, outcome: "completed" },
    });
  });
});

describe("a message that waits for a person", () => {
  const waiting = () => new Conversation().prompt().agent(...call("c", "Bash", {}), permission("q", "c"));

  it("shows the open approval, and nothing that came after it", () => {
    const conversation = waiting().agent(...text("p", "meanwhile"));
    const message = messagesOf(conversation).at(-1)!;
    expect(message.parts.filter(isToolPart)).toMatchObject([
      { state: "approval-requested", approval: { id: expect.stringMatching(/^a/) } },
    ]);
    expect(message.parts.some((part) => part.type === "text")).toBe(false);
  });

  it("shows all of it once the ask is answered", () => {
    const conversation = waiting()
      .agent(...text("p", "meanwhile"))
      .answer(YES);
    const message = messagesOf(conversation).at(-1)!;
    expect(message.parts.filter(isToolPart)).toMatchObject([
      { state: "approval-responded", approval: { approved: true } },
    ]);
    expect(message.parts.some((part) => part.type === "text")).toBe(true);
  });

  it("shows an open question", () => {
    const conversation = new Conversation()
      .prompt()
      .agent({ type: "ask.opened", ask: "q", kind: "question", title: "Which?", options: [] });
    expect(messagesOf(conversation).at(-1)!.parts.filter(isToolPart)).toMatchObject([
      { type: "tool-question", state: "input-available", input: { title: "Which?" } },
    ]);
  });
});

describe("what a person decided", () => {
  const decision = (name: "approve" | "deny" | "an expired ask" | "a cancelled ask") =>
    toUIMessage(foldMessages(logOf(name)).at(-1)!).parts.find(isToolPart);

  it("stands in the approval, as the client that was clicked has it", () => {
    expect(decision("approve")).toMatchObject({ state: "output-available", approval: { approved: true } });
    expect(decision("deny")).toMatchObject({
      state: "output-denied",
      approval: { approved: false, reason: "not now" },
    });
    expect(decision("an expired ask")).toMatchObject({
      state: "output-denied",
      approval: { approved: false },
    });
  });

  it("is nothing when nobody did", () => {
    expect(decision("a cancelled ask")).toMatchObject({ state: "output-error" });
    expect(decision("a cancelled ask")?.approval).toBeUndefined();
  });
});

describe("what comes after the end of a message", () => {
  const record = foldMessages(logOf("background"))[1]!;

  it("is in the stored message: late results and the parts of background work", () => {
    const message = toUIMessage(record);
    expect(message.metadata).toMatchObject({ outcome: "completed" });
    expect(message.parts.find(isToolPart)).toMatchObject({ state: "output-available", output: "exited" });
    expect(message.parts.at(-1)).toMatchObject({
      type: "data-subagent",
      data: { part: { type: "text", text: "still here" } },
    });
  });

  it("is not in a replay of what was streamed", () => {
    const message = foldChunks(messageChunks(record));
    expect(message.parts.find(isToolPart)).toMatchObject({ output: "started" });
    expect(message.parts.some((part) => part.type === "data-subagent")).toBe(false);
  });

  it("does not leave the details of a result that was replaced beside the new one", () => {
    const conversation = new Conversation()
      .prompt()
      .agent(...call("c", "Bash", {}), { type: "tool.output", call: "c", output: "started", running: true })
      .agent({ type: "tool.output", call: "c", output: "done", exitCode: 3 });
    const details = messagesOf(conversation)
      .at(-1)!
      .parts.filter(({ type }) => type === "data-tool-result");
    expect(details).toMatchObject([{ data: { exitCode: 3 } }]);
    expect(details[0]).not.toHaveProperty("data.running");
  });

  it("rewrites the calls of sub-agents too", () => {
    const conversation = new Conversation()
      .prompt()
      .agent(
        ...call("c", "Task", {}),
        { type: "tool.start", call: "d", name: "Bash", parent: "c" },
        { type: "tool.abandoned", call: "d", reason: "slow", parent: "c" },
        { type: "tool.output", call: "d", output: "after all", parent: "c" },
      );
    expect(messagesOf(conversation).at(-1)?.parts).toContainEqual(
      expect.objectContaining({
        type: "data-subagent",
        data: expect.objectContaining({
          part: expect.objectContaining({ state: "output-available", output: "after all" }),
        }),
      }),
    );
  });
});

it("leaves the record as it was", () => {
  for (const record of foldMessages(logOf("rich"))) {
    const before = plain(record);
    toUIMessage(record);
    expect(plain(record)).toEqual(before);
  }
});
