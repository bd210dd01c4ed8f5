import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { foldMessages } from "../../core/fold-messages.ts";
import { call, permission, text } from "../../testkit/conversation.ts";
import { plain, VERSIONS } from "./sdk.test-support.ts";
import { createChat, ScriptedServer } from "./stock-client.test-support.ts";
import { toUIMessage } from "./to-ui-message.ts";
import { isToolPart, type ToolPart } from "./ui-message.ts";

describe.each(VERSIONS)("stock client %s", (version) => {
  function open(server: ScriptedServer) {
    const chat = createChat(version, server);
    const tools = () => chat.messages.at(-1)!.parts.filter(isToolPart);
    const asked = (): ToolPart[] => tools().filter((part) => part.state === "approval-requested");
    const ready = (requests: number) =>
      vi.waitFor(() => {
        expect(chat.status).toBe("ready");
        expect(server.requests).toBe(requests);
      });
    const reply = (approved: boolean, reason?: string) =>
      chat.addToolApprovalResponse({ id: asked()[0]!.approval!.id, approved, reason });
    /** Nothing more is sent, and the history has what the client has. */
    const settled = async (requests: number) => {
      await ready(requests);
      await sleep(20);
      expect(server.requests).toBe(requests);
      const records = foldMessages(server.conversation.log);
      expect(plain(toUIMessage(records.at(-1)!))).toEqual(plain(chat.messages.at(-1)));
    };
    return { chat, tools, asked, ready, reply, settled };
  }

  const askOne = (server: Parameters<ConstructorParameters<typeof ScriptedServer>[0]>[0]) =>
    server.agent(...text("a", "May I?"), ...call("c1", "Bash", { command: "ls" }), permission("q1", "c1"));

  it("approves, in one message and two requests", async () => {
    const { chat, tools, ready, reply, settled } = open(
      new ScriptedServer(askOne, (it) =>
        it
          .agent(
            { type: "tool.output", call: "c1", output: "a.ts" },
            { type: "step.started" },
            ...text("b", "ok"),
          )
          .end(),
      ),
    );
    await chat.sendMessage({ text: "go" });
    await ready(1);
    expect(tools()).toMatchObject([
      { type: "tool-Bash", state: "approval-requested", providerExecuted: false },
    ]);
    await reply(true);
    await settled(2);
    expect(tools()).toMatchObject([
      { state: "output-available", output: "a.ts", approval: { approved: true } },
    ]);
    expect(chat.messages).toHaveLength(2);
  });

  it("denies, with the person's words", async () => {
    const { chat, tools, ready, reply, settled } = open(
      new ScriptedServer(askOne, (it) => it.agent(...text("b", "then not")).end()),
    );
    await chat.sendMessage({ text: "go" });
    await ready(1);
    await reply(false, "no way");
    await settled(2);
    expect(tools()).toMatchObject([
      { state: "output-denied", approval: { approved: false, reason: "no way" } },
    ]);
  });

  it("does not send again when a turn ends with an approved call", async () => {
    const { chat, ready, reply, settled } = open(
      new ScriptedServer(askOne, (it) => it.agent({ type: "tool.output", call: "c1", output: "" }).end()),
    );
    await chat.sendMessage({ text: "go" });
    await ready(1);
    await reply(true);
    await settled(2);
  });

  it("shows two asks at once and answers both in one request", async () => {
    const { chat, asked, ready, reply, settled } = open(
      new ScriptedServer(
        (it) =>
          it.agent(
            ...call("c1", "Bash", { command: "one" }),
            ...call("c2", "Bash", { command: "two" }),
            permission("q1", "c1"),
            permission("q2", "c2"),
          ),
        (it) => it.agent({ type: "tool.output", call: "c1", output: 1 }, ...text("b", "one of two")).end(),
      ),
    );
    await chat.sendMessage({ text: "go" });
    await ready(1);
    expect(asked()).toHaveLength(2);
    await reply(true);
    await ready(1);
    await reply(false);
    await settled(2);
  });

  it("answers an ask although a sibling call is unfinished", async () => {
    const { chat, tools, asked, ready, reply, settled } = open(
      new ScriptedServer(
        (it) =>
          it.agent(
            ...call("c1", "Search", { query: "x" }),
            ...call("c2", "Bash", { command: "ls" }),
            permission("q1", "c2"),
          ),
        (it) =>
          it
            .agent(
              { type: "tool.output", call: "c2", output: "a.ts" },
              { type: "tool.output", call: "c1", output: "found" },
              ...text("b", "done"),
            )
            .end(),
      ),
    );
    await chat.sendMessage({ text: "go" });
    await ready(1);
    expect(asked()).toMatchObject([
      { type: "tool-permission", input: { toolName: "Bash", input: { command: "ls" } } },
    ]);
    await reply(true);
    await settled(2);
    expect(tools().map((part) => part.state)).toEqual(Array(3).fill("output-available"));
  });

  it("answers a question with the output of a client tool", async () => {
    const { chat, tools, ready, settled } = open(
      new ScriptedServer(
        (it) =>
          it.agent({
            type: "ask.opened",
            ask: "q1",
            kind: "question",
            title: "Which?",
            options: [],
            questions: [{ id: "q1", text: "Which?" }],
          }),
        (it) => it.agent(...text("b", "A, then.")).end(),
      ),
    );
    await chat.sendMessage({ text: "go" });
    await ready(1);
    const [question] = tools();
    expect(question).toMatchObject({ type: "tool-question", state: "input-available" });
    const { toolCallId } = question!;
    await chat.addToolOutput({ tool: "question", toolCallId, output: { q1: ["A"] } });
    await settled(2);
    expect(tools()).toMatchObject([{ state: "output-available", output: { q1: ["A"] } }]);
  });
});
