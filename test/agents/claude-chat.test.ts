/** Claude Code through `/api/chat`, with the stock client of the AI SDK. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hang, httpError, text, thinking, toolCall } from "../../src/testkit/scripted-model/index.ts";
import { StockChat, VERSIONS } from "../chat/stock-chat.test-support.ts";
import { claudeWorld } from "./claude-world.ts";

const scripts = (project: string) => ({
  hello: [thinking("A greeting."), text("Hello, ", "world.")],
  work: [
    [text("I write."), toolCall("Write", { file_path: join(project, "a.txt"), content: "A" })],
    [text("Written.")],
  ],
  fail: [httpError(401, { message: "invalid x-api-key" })],
  endless: [text("I begin "), hang()],
});

it.each(VERSIONS)("client %s: a conversation with an approval", async (version) => {
  await using world = await claudeWorld({ scripts });
  const { id } = await world.session();
  const client = new StockChat(world.chatServer(), { version, id });
  await client.chat.sendMessage({ text: "Say it [[hello]]" });
  expect(client.text).toBe("Hello, world.");
  expect(client.last.parts.some(({ type }) => type === "reasoning")).toBe(true);

  await client.chat.sendMessage({ text: "Write it [[work]]" });
  expect(client.asked).toHaveLength(1);
  expect(existsSync(join(world.project, "a.txt"))).toBe(false);
  await client.reply(true);
  await client.ready(3);
  expect(readFileSync(join(world.project, "a.txt"), "utf8")).toBe("A");
  expect(client.text).toBe("I write.Written.");
  await client.expectStored();
});

it("a rejected call, a failed turn and a stop look like that in the client", async () => {
  await using world = await claudeWorld({ scripts });
  const { id } = await world.session();
  const client = new StockChat(world.chatServer(), { version: VERSIONS.at(-1)!, id });
  await client.chat.sendMessage({ text: "Write it [[work]]" });
  await client.reply(false, "Not now.");
  await client.ready(2);
  expect(client.tools[0]?.state).toBe("output-denied");
  await client.chat.sendMessage({ text: "Fail [[fail]]" });
  await client.ready(3, "error");
  expect(client.chat.error?.message).toMatch(/invalid x-api-key|API key/i);

  const sending = client.chat.sendMessage({ text: "Talk [[endless]]" });
  await client.until("the text", () => client.text === "I begin ");
  await world.chatServer().call("POST", `/api/chat/${id}/stop`);
  await sending;
  await client.ready(4);
  await client.expectStored();
});

it("says in the client how to install it", async () => {
  await using world = await claudeWorld({ isInstalled: false, environment: { PATH: "/usr/bin:/bin" } });
  const { id } = await world.session();
  const client = new StockChat(world.chatServer(), { version: VERSIONS.at(-1)!, id });
  await client.chat.sendMessage({ text: "Hello" });
  await client.ready(1, "error");
  expect(client.chat.error?.message).toContain("interlingua agents install claude");
});
