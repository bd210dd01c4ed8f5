/** What a person looks at, given with a prompt, reaches the model of real agents. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { text } from "../../src/testkit/scripted-model/index.ts";
import { claudeWorld } from "./claude-world.ts";
import { codexWorld } from "./codex-world.ts";

it.each([
  ["claude", claudeWorld],
  ["codex", codexWorld],
])("%s", async (_name, worldOf) => {
  await using world = await worldOf({ scripts: () => ({ hello: [text("I see.")] }) });
  const session = await world.session();
  const path = join(world.project, "kestrel.ts");
  const context = {
    type: "context",
    path,
    language: "ts",
    content: "let kestrel;\n",
    selection: { start: 1, end: 1 },
  };
  const parts = [context, { type: "text", text: "What is it? [[hello]]" }];
  const sent = await session.call("POST", "/messages", { parts });
  expect((await session.turnOf(sent.body.message)).text).toBe("I see.");
  const asked = JSON.stringify(world.model.requests.find(({ script }) => script === "hello")?.body);
  expect(asked).toContain(`File: ${path}`);
  expect(asked).toContain("```ts\\nlet kestrel;\\n```");
  expect(asked).toContain("Selected: line 1");
});
