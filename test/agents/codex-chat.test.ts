/** The plan mode of Codex through `/api/chat`, with the stock client of the AI SDK. */
import { expect, it } from "vitest";
import { hang, text } from "../../src/testkit/scripted-model/index.ts";
import { FIRST_HALF, openChat, watchEnd } from "./chat-pages.ts";
import { codexWorld } from "./codex-world.ts";

it("proposes a plan as a text of its own", async () => {
  const plan = "here:\n<proposed_plan>\n# Plan\n1. Paint\n</proposed_plan>\n";
  await using world = await codexWorld({
    scripts: () => ({ plan: [text(FIRST_HALF), hang(), text(plan)] }),
  });
  const client = await openChat(world, { mode: "plan" });
  const sending = client.chat.sendMessage({ text: "Plan it [[plan]]" });
  await watchEnd(world, client, () => world.model.release());
  await sending;
  expect(client.last.parts.filter(({ type }) => type === "text")).toMatchObject([
    { text: `${FIRST_HALF}here:\n`, state: "done" },
    {
      text: "# Plan\n1. Paint\n",
      state: "done",
      providerMetadata: { interlingua: { purpose: "plan" } },
    },
  ]);
  expect(client.last.metadata).toMatchObject({ outcome: "completed" });
});
