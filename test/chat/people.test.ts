/** Approvals, questions and plans with stock clients, against the real engine and the mock agent. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { V1 } from "../../src/server/v1-test-support.ts";
import { StockChat, type StockChatOptions, startServer, VERSIONS } from "./stock-chat.test-support.ts";

let v1: V1;

beforeAll(async () => {
  v1 = await startServer();
});

afterAll(() => v1.server.close());

describe.each(VERSIONS)("stock client %s", (version) => {
  async function open(options: Partial<StockChatOptions> = {}): Promise<StockChat> {
    const id = await v1.createSession({ options: { pace: 0 } });
    return new StockChat(v1, { version, id, ...options });
  }

  async function asked(scenario: string, options?: Partial<StockChatOptions>): Promise<StockChat> {
    const client = await open(options);
    await client.chat.sendMessage({ text: `scenario:${scenario}` });
    await client.ready(1);
    return client;
  }

  it.concurrent("approves and denies, each in one message and two requests", async () => {
    const client = await asked("approve");
    expect(client.asked).toHaveLength(1);
    await client.expectStored();
    await client.reply(true);
    await client.ready(2);
    expect(client.tools).toMatchObject([{ state: "output-available", approval: { approved: true } }]);
    expect(client.text).toContain("passed-30");
    expect(client.chat.messages).toHaveLength(2);
    await client.expectStored();

    await client.chat.sendMessage({ text: "scenario:approve" });
    await client.ready(3);
    await client.reply(false, "not today");
    await client.ready(4);
    expect(client.tools).toMatchObject([
      { state: "output-denied", approval: { approved: false, reason: "not today" } },
    ]);
    expect(client.text).toContain("skipped-30");
    expect(client.chat.messages).toHaveLength(4);
    await client.expectStored();
  });

  it.concurrent("answers two approvals", async () => {
    const client = await asked("approve-two");
    await client.reply(true);
    // The second one may have come with the first, or with the answer to it.
    await client.until(
      "the second approval",
      () => client.asked.length === 1 && client.chat.status === "ready",
    );
    await client.reply(false);
    await client.until("the end", () => client.chat.status === "ready" && client.text !== "");
    expect(client.text).toBe("1 of 2 commands were allowed.");
    expect(client.chat.messages).toHaveLength(2);
    await client.expectStored();
  });

  it.concurrent("answers an approval although a sibling call is unfinished", async () => {
    const client = await asked("approve-ownstep");
    expect(client.asked).toMatchObject([{ type: "tool-permission" }]);
    await client.reply(true);
    await client.ready(2);
    expect(client.tools.map(({ state }) => state)).toEqual(Array(3).fill("output-available"));
    expect(client.text).toBe("The search is done; the command was run.");
    await client.expectStored();
  });

  it.concurrent("sends a click that comes while the response still streams", async () => {
    const { promise: hold, resolve: release } = Promise.withResolvers<void>();
    const client = await open({ fetch: holdingLast(hold) });
    const sending = client.chat.sendMessage({ text: "scenario:approve" });
    await client.until("the approval", () => client.chat.messages.length === 2 && client.asked.length === 1);
    expect(client.chat.status).toBe("streaming");
    await client.reply(true);
    expect(client.posts).toHaveLength(1);
    release();
    await sending;
    await client.ready(2);
    expect(client.text).toContain("passed-30");
    await client.expectStored();
  });

  it.concurrent("answers a question and a plan", async () => {
    const client = await asked("question", { lastMessageOnly: true });
    expect(client.tools).toMatchObject([{ type: "tool-question", state: "input-available" }]);
    await client.expectStored();
    const { toolCallId } = client.tools[0]!;
    await client.chat.addToolOutput({ tool: "question", toolCallId, output: { q1: ["Green"] } });
    await client.ready(2);
    expect(client.text).toContain("You chose: Green.");
    await client.expectStored();

    await client.chat.sendMessage({ text: "scenario:plan" });
    await client.ready(3);
    await client.reply(false, "think again");
    await client.ready(4);
    expect(client.text).toContain("think again");
    await client.expectStored();
  });

  it.concurrent("tells a click that came too late in one sentence, and shows the truth after a reload", async () => {
    const client = await asked("approve");
    const { id } = client.chat;
    const ask = client.asked[0]!.approval!.id;
    const answer = await v1.call("POST", `/v1/sessions/${id}/asks/${ask}/reply`, {
      body: { reply: "reject" },
    });
    expect(answer.status).toBe(200);
    await client.reply(true);
    await client.ready(2, "error");
    expect(client.posts[1]!.status).toBe(409);
    expect(client.chat.error?.message).toBe("owner answered first; their answer stands.");

    const reloaded = await reload(client);
    expect(reloaded.tools).toMatchObject([{ state: "output-denied" }]);
    await reloaded.expectStored();
  });

  it.concurrent("goes on when a click says the same as the answer that came first", async () => {
    const client = await asked("approve");
    const ask = client.asked[0]!.approval!.id;
    await v1.call("POST", `/v1/sessions/${client.chat.id}/asks/${ask}/reply`, { body: { reply: "once" } });
    await client.reply(true);
    await client.ready(2);
    expect(client.text).toContain("passed-30");
    await client.expectStored();
  });

  it.concurrent("can be reloaded at an open approval", async () => {
    const client = await asked("approve");
    const reloaded = await reload(client);
    expect(reloaded.chat.messages).toHaveLength(2);
    expect(reloaded.asked).toHaveLength(1);
    await reloaded.reply(true);
    await reloaded.ready(1);
    expect(reloaded.text).toContain("passed-30");
    await reloaded.expectStored();
  });

  /** A new page: the history, then whatever streams. */
  async function reload(client: StockChat): Promise<StockChat> {
    const page = new StockChat(v1, { version, id: client.chat.id, messages: await client.stored() });
    await page.chat.resumeStream();
    await page.ready(0);
    // What came while the page was being loaded.
    await page.until("the turn's end", () => page.chat.status === "ready");
    page.chat.messages = await page.stored();
    return page;
  }
});

/** Lets everything through but the end of the first response. */
function holdingLast(hold: Promise<void>): typeof fetch {
  let isFirst = true;
  return async (url, init) => {
    const response = await fetch(url, init);
    if (!isFirst || !response.body) return response;
    isFirst = false;
    const body = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        async transform(piece, controller) {
          const text = new TextDecoder().decode(piece);
          const end = text.indexOf('data: {"type":"finish-step"}');
          if (!text.includes("tool-approval-request") || end < 0) return controller.enqueue(piece);
          controller.enqueue(new TextEncoder().encode(text.slice(0, end)));
          await hold;
          controller.enqueue(new TextEncoder().encode(text.slice(end)));
        },
      }),
    );
    return new Response(body, { status: response.status, headers: response.headers });
  };
}
