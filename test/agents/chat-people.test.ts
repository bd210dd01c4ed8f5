/** Agents through `/api/chat`, with the stock client of the AI SDK: they ask, and a person decides. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ScriptContext, text } from "../../src/testkit/scripted-model/index.ts";
import { VERSIONS } from "../chat/stock-chat.test-support.ts";
import type { AgentWorld } from "./agent-world.ts";
import { AGENTS } from "./agents.ts";
import { closing, expectCompleted, LAST_WORDS, openChat, watchEnd } from "./chat-pages.ts";

describe.each(AGENTS)("$agent.name", ({ world: start, sessions, tools, heard }) => {
  describe("whichever client asks", () => {
    let world: AgentWorld;

    beforeAll(async () => {
      const scripts = (project: string) => ({
        write: ({ argument, step }: ScriptContext) =>
          step === 0 ? [text("I write. "), tools.write(project).call] : closing(`written ${argument}`),
      });
      world = await start({ scripts });
    });

    afterAll(() => world[Symbol.asyncDispose]());

    it.each(VERSIONS)("%s: hears why it may not, and acts once it may", async (version) => {
      const client = await openChat(world, sessions.asking, version);
      const file = join(world.project, "a.txt");
      const { output, ...part } = tools.write(world.project).part;
      await client.chat.sendMessage({ text: `Write [[write:not ${version}]]` });
      expect(client.tools).toMatchObject([
        { ...part, state: "approval-requested", approval: { id: expect.any(String) } },
      ]);
      expect(client.chunks.at(-1)).toMatchObject({ type: "finish", finishReason: "tool-calls" });
      await client.expectStored();
      const refusing = client.reply(false, "Call it b.txt instead.");
      await watchEnd(world, client, () => world.model.release(`written not ${version}`));
      await refusing;
      expectCompleted(client);
      expect(client.tools).toMatchObject([
        { ...part, state: "output-denied", approval: { approved: false, reason: "Call it b.txt instead." } },
      ]);
      expect(heard(world.model).input).toContain("Call it b.txt instead.");

      await client.chat.sendMessage({ text: `Write [[write:${version}]]` });
      expect(client.asked).toHaveLength(1);
      expect(existsSync(file)).toBe(false);
      const allowing = client.reply(true);
      await watchEnd(world, client, () => world.model.release(`written ${version}`));
      await allowing;
      expectCompleted(client);
      expect(client.tools).toMatchObject([
        { ...part, output, state: "output-available", approval: { approved: true } },
      ]);
      expect(client.text).toBe(`I write. ${LAST_WORDS}`);
      expect(readFileSync(file, "utf8")).toBe("A\n");
      rmSync(file);
      expect(client.chat.messages).toHaveLength(4);
      expect(client.posts).toHaveLength(4);
    });
  });

  it("puts a question and hears the answer", async () => {
    await using world = await start({ scripts: () => ({ ask: [[tools.question], closing("ask")] }) });
    const client = await openChat(world, sessions.questioning);
    await client.chat.sendMessage({ text: "Ask me [[ask]]" });
    const question = client.tools.at(-1)!;
    expect(question).toMatchObject({
      type: "tool-question",
      state: "input-available",
      input: {
        questions: [
          { text: "Which colour?", options: [{ label: expect.stringMatching(/^Red/) }, { label: "Blue" }] },
        ],
      },
    });
    await client.expectStored();
    const { toolCallId, input } = question;
    const [{ id }] = (input as { questions: [{ id: string }] }).questions;
    const output = { [id]: ["Blue"] };
    const answering = client.chat.addToolOutput({ tool: "question", toolCallId, output });
    await watchEnd(world, client, () => world.model.release("ask"));
    await answering;
    expectCompleted(client);
    const answered = client.tools.find((part) => part.toolCallId === toolCallId);
    expect(answered).toMatchObject({ state: "output-available", output });
    expect(heard(world.model).results.at(-1)).toContain("Blue");
  });
});
