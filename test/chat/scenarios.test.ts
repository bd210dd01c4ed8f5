/** Every scenario of the mock, through HTTP and the newest stock clients: live and stored are the same. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SCENARIOS } from "../../src/agents/mock/program/scenarios/index.ts";
import type { V1 } from "../../src/server/v1-test-support.ts";
import { StockChat, startServer } from "./stock-chat.test-support.ts";

/** They wait for a person to stop them, or end the agent in a way that takes long. */
const ENDLESS = ["hang", "hang-deaf"];

/** Content that comes after the turn's end is in the stored message, and not in a stream that has ended. */
const GOES_ON = ["late", "background"];

let v1: V1;

beforeAll(async () => {
  v1 = await startServer();
});

afterAll(() => v1.server.close());

describe.each(["6.0.326", "7.0.169"])("stock client %s", (version) => {
  it.concurrent.each(SCENARIOS.map(({ name }) => name).filter((name) => !ENDLESS.includes(name)))(
    "%s",
    async (name) => {
      const id = await v1.createSession({ options: { pace: 0 } });
      const client = new StockChat(v1, { version, id });
      await client.chat.sendMessage({ text: name === "compact" ? "/compact" : `scenario:${name}` });
      while (client.last.role === "assistant" && (await answer(client)))
        await client.until("the answer", isAtRest);
      await client.until("the end", isAtRest);
      expect(client.chat.messages).toHaveLength(2);
      expect(client.chunks[0]).toMatchObject({ type: "start", messageId: client.last.id });
      if (GOES_ON.includes(name)) await client.expectValidChunks();
      else await client.expectStored();

      function isAtRest(): boolean {
        return client.chat.status === "ready" || client.chat.status === "error";
      }
    },
  );
});

/** Says yes to what is asked; false when nothing is. */
async function answer(client: StockChat): Promise<boolean> {
  const question = client.tools.find(
    ({ type, state }) => type === "tool-question" && state === "input-available",
  );
  if (question) {
    const { toolCallId } = question;
    await client.chat.addToolOutput({ tool: "question", toolCallId, output: "Blue" });
    return true;
  }
  if (client.asked.length === 0) return false;
  await client.reply(true);
  return true;
}
