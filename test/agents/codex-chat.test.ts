/** Codex through `/api/chat`, with the stock client of the AI SDK. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { freeformToolCall, hang, httpError, text, thinking } from "../../src/testkit/scripted-model/index.ts";
import { StockChat, VERSIONS } from "../chat/stock-chat.test-support.ts";
import { codexWorld } from "./codex-world.ts";

const PATCH = "*** Begin Patch\n*** Add File: a.txt\n+A\n*** End Patch";

const scripts = () => ({
  hello: [thinking("A greeting."), text("Hello, ", "world.")],
  work: [[text("I write."), freeformToolCall("apply_patch", PATCH)], [text("Written.")]],
  fail: [httpError(400, { message: "no such effort" })],
  endless: [text("I begin "), hang()],
});

const session = {
  permissionMode: "default",
  options: { config: { model_reasoning_summary: "detailed" } },
};

it.each(VERSIONS)("client %s: a conversation with an approval", async (version) => {
  await using world = await codexWorld({ scripts });
  const { id } = await world.session(session);
  const client = new StockChat(world.chatServer(), { version, id });
  await client.chat.sendMessage({ text: "Say it [[hello]]" });
  expect(client.text).toBe("Hello, world.");
  expect(client.last.parts.some(({ type }) => type === "reasoning")).toBe(true);

  await client.chat.sendMessage({ text: "Write it [[work]]" });
  expect(client.asked).toHaveLength(1);
  expect(existsSync(join(world.project, "a.txt"))).toBe(false);
  await client.reply(true);
  await client.ready(3);
  expect(readFileSync(join(world.project, "a.txt"), "utf8")).toBe("A\n");
  expect(client.text).toBe("I write.Written.");
  await client.expectStored();
});

it("a rejected call, a failed turn and a stop look like that in the client", async () => {
  await using world = await codexWorld({ scripts });
  const { id } = await world.session(session);
  const client = new StockChat(world.chatServer(), { version: VERSIONS.at(-1)!, id });
  await client.chat.sendMessage({ text: "Write it [[work]]" });
  await client.reply(false, "Not now.");
  await client.ready(2);
  expect(client.tools[0]?.state).toBe("output-denied");
  await client.chat.sendMessage({ text: "Fail [[fail]]" });
  await client.ready(3, "error");
  expect(client.chat.error?.message).toContain("no such effort");

  const sending = client.chat.sendMessage({ text: "Talk [[endless]]" });
  await client.until("the text", () => client.text === "I begin ");
  await world.chatServer().call("POST", `/api/chat/${id}/stop`);
  await sending;
  await client.ready(4);
  await client.expectStored();
});
