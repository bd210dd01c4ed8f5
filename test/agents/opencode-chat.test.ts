/** The plan mode and the compaction of OpenCode through `/api/chat`, with the stock client of the AI SDK. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { toolCall } from "../../src/testkit/scripted-model/index.ts";
import { closing, converse, openChat } from "./chat-pages.ts";
import { MODEL, openCodeWorld } from "./opencode-world.ts";

it("changes no file in plan mode, and its calls say why", async () => {
  await using world = await openCodeWorld({
    scripts: (project) => ({
      write: [[toolCall("write", { filePath: join(project, "a.txt"), content: "A" })], closing("write")],
    }),
  });
  const client = await openChat(world, { model: MODEL, mode: "plan" });
  await converse(world, client, { text: "Write [[write]]" }, "write");
  const input = { filePath: join(world.project, "a.txt"), content: "A" };
  const errorText = expect.stringContaining("rule which prevents you");
  expect(client.tools).toMatchObject([{ type: "tool-write", state: "output-error", input, errorText }]);
  expect(existsSync(join(world.project, "a.txt"))).toBe(false);
});

it("makes the conversation shorter when it is told to, and shows the summary", async () => {
  await using world = await openCodeWorld({ scripts: () => ({ hello: closing("hello") }) });
  const client = await openChat(world, { model: MODEL });
  await converse(world, client, { text: "Hello [[hello]]" }, "hello");
  await client.chat.sendMessage({ text: "/compact" });
  expect(client.last.parts).toContainEqual(
    expect.objectContaining({
      type: "data-compaction",
      data: expect.objectContaining({ state: "ended", summary: expect.stringMatching(/\w/) }),
    }),
  );
  expect(client.last.metadata).toMatchObject({ outcome: "completed" });
  await client.expectStored();
});
