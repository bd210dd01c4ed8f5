/** The plan mode of Claude Code through `/api/chat`, with the stock client of the AI SDK. */
import { expect, it } from "vitest";
import { toolCall } from "../../src/testkit/scripted-model/index.ts";
import { closing, expectCompleted, openChat, watchEnd } from "./chat-pages.ts";
import { claudeWorld } from "./claude-world.ts";
import { toolResults } from "./model-requests.ts";

it("shows its plan, hears why it is rejected, and leaves plan mode when it is approved", async () => {
  const plan = (words: string) => [toolCall("ExitPlanMode", { plan: words })];
  await using world = await claudeWorld({
    scripts: () => ({
      short: [plan("1. Write"), closing("short")],
      long: [plan("1. Write\n2. Rest"), closing("long")],
    }),
  });
  const client = await openChat(world, { permissionMode: "plan" });
  await client.chat.sendMessage({ text: "Plan it [[short]]" });
  expect(client.tools).toMatchObject([
    { type: "tool-ExitPlanMode", state: "approval-requested", input: { plan: "1. Write" } },
  ]);
  await client.expectStored();
  const rejecting = client.reply(false, "Too short.");
  await watchEnd(world, client, () => world.model.release("short"));
  await rejecting;
  expectCompleted(client);
  expect(client.tools).toMatchObject([
    { state: "output-denied", approval: { approved: false, reason: "Too short." } },
  ]);
  expect(JSON.stringify(toolResults(world.model.requests.at(-1)!))).toContain("Too short.");
  const [session] = world.sessions;
  expect(await session!.view()).toMatchObject({ permissionMode: "plan" });

  await client.chat.sendMessage({ text: "Plan more [[long]]" });
  const approving = client.reply(true);
  await watchEnd(world, client, () => world.model.release("long"));
  await approving;
  expectCompleted(client);
  expect(client.tools).toMatchObject([
    {
      type: "tool-ExitPlanMode",
      state: "output-available",
      input: { plan: "1. Write\n2. Rest" },
      approval: { approved: true },
    },
  ]);
  expect(await session!.view()).toMatchObject({ permissionMode: "default" });
});
