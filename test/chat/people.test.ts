/** Approvals and questions with stock clients, against the real engine and the mock agent. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { V1 } from "../../src/server/v1-test-support.ts";
import { StockChat, type StockChatOptions, VERSIONS } from "./stock-chat.test-support.ts";

let v1: V1;

beforeAll(async () => {
  v1 = await V1.start();
});

afterAll(() => v1.server.close());

describe.each(VERSIONS)("stock client %s", (version) => {
  async function open(options: Partial<StockChatOptions> = {}): Promise<StockChat> {
    const id = await v1.createSession({ options: { pace: 0 } });
    return new StockChat(v1, { version, id, ...options });
  }

  it("shows text", async () => {
    const client = await open();
    await client.chat.sendMessage({ text: "scenario:text" });
    await client.ready(1);
    expect(client.chat.messages).toHaveLength(2);
    await client.expectStored();
  });

  it("approves, in one message and two requests", async () => {
    const client = await open();
    await client.chat.sendMessage({ text: "scenario:approve" });
    await client.ready(1);
    expect(client.asked).toHaveLength(1);
    await client.expectStored();
    await client.reply(true);
    await client.ready(2);
    expect(client.tools).toMatchObject([{ state: "output-available", approval: { approved: true } }]);
    expect(client.text).toContain("passed-30");
    expect(client.chat.messages).toHaveLength(2);
    await client.expectStored();
  });
});
