/** Agents through `/api/chat`, with the stock client of the AI SDK: what they say and do, as it is in the message. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isToolPart } from "../../src/dialects/ai-sdk/ui-message.ts";
import { type ScriptContext, text, thinking } from "../../src/testkit/scripted-model/index.ts";
import { until } from "../../src/testkit/until.ts";
import { textOf, VERSIONS } from "../chat/stock-chat.test-support.ts";
import type { AgentWorld } from "./agent-world.ts";
import { AGENTS } from "./agents.ts";
import { closing, converse, LAST_WORDS, loadPage, openChat } from "./chat-pages.ts";
import { PIXEL } from "./picture.ts";

describe.each(AGENTS)("$agent.name", ({ world: start, sessions, tools, ...agent }) => {
  describe("whichever client listens", () => {
    let world: AgentWorld;

    beforeAll(async () => {
      const scripts = () => ({
        hello: ({ argument }: ScriptContext) => [
          thinking("A greeting, ", "I think."),
          ...closing(`hello ${argument}`),
        ],
      });
      world = await start({ scripts });
    });

    afterAll(() => world[Symbol.asyncDispose]());

    it.each(VERSIONS)("%s: thinks and speaks", async (version) => {
      const client = await openChat(world, sessions.thinking, version);
      await converse(world, client, { text: `Say it [[hello:${version}]]` }, `hello ${version}`);
      expect(client.last.parts.filter(({ type }) => ["text", "reasoning"].includes(type))).toMatchObject([
        { type: "reasoning", text: "A greeting, I think.", state: "done" },
        { type: "text", text: LAST_WORDS, state: "done" },
      ]);
      expect(client.last.metadata).toMatchObject({
        agent: agent.agent.name,
        usage: { input: 11, output: 7 },
        replyTo: client.chat.messages[0]!.id,
      });
    });
  });

  it("uses its tools one after the other, and the files are what it says", async () => {
    await using world = await start({
      scripts: (project) => ({
        loop: [...tools.loop(project).map(({ call }) => [call]), closing("loop")],
      }),
    });
    const client = await openChat(world, sessions.trusted);
    await converse(world, client, { text: "Do it [[loop]]" }, "loop");
    expect(client.tools).toMatchObject(
      tools.loop(world.project).map(({ part }) => ({ state: "output-available", ...part })),
    );
    for (const file of ["notes.txt", "copy.txt"])
      expect(readFileSync(join(world.project, file), "utf8")).toBe("one\nthree\n");
    expect(client.last.parts).toContainEqual(
      expect.objectContaining({
        type: "data-file-edit",
        data: expect.objectContaining({
          path: join(world.project, "notes.txt"),
          kind: "changed",
          diff: expect.stringContaining("-two\n+three\n"),
        }),
      }),
    );
    expect(client.last.parts.filter(({ type }) => type === "step-start")).toHaveLength(5);
  });

  it("uses tools at the same time, and one that fails does not stop the others", async () => {
    await using world = await start({
      scripts: (project) => ({
        parallel: [tools.parallel(project).map(({ call }) => call), closing("parallel")],
      }),
    });
    world.write("one.txt", "first");
    world.write("two.txt", "second");
    const client = await openChat(world, sessions.trusted);
    await converse(world, client, { text: "All of them [[parallel]]" }, "parallel");
    const parts = tools.parallel(world.project).map(({ part }) => ({ state: "output-available", ...part }));
    expect(client.tools).toHaveLength(parts.length);
    expect(client.tools).toEqual(expect.arrayContaining(parts.map((part) => expect.objectContaining(part))));
  });

  it("shows the model a picture, which stays in the message", async () => {
    await using world = await start({ scripts: () => ({ look: closing("look") }) });
    const client = await openChat(world, sessions.trusted);
    const picture = { type: "file", mediaType: "image/png", url: `data:image/png;base64,${PIXEL}` };
    await converse(world, client, { text: "What is it? [[look]]", files: [picture] }, "look");
    expect((await client.stored())[0]?.parts).toMatchObject([
      picture,
      { type: "text", text: "What is it? [[look]]" },
    ]);
    expect(agent.heard(world.model).input).toContain(agent.pictureIsHeardAs);
  });

  it("takes what looks like a command as it does elsewhere", async () => {
    const { file, prompt, isHeardAs } = agent.command;
    await using world = await start({ scripts: () => ({ command: closing("command") }) });
    if (file) world.write(file.path, file.content);
    const client = await openChat(world, sessions.trusted);
    await converse(world, client, { text: prompt }, "command");
    expect(agent.heard(world.model).input).toContain(isHeardAs);
    expect(client.chat.messages[0]!.parts).toMatchObject([{ type: "text", text: prompt }]);
  });

  it("uses the tool of an MCP server", async () => {
    await using world = await start({ scripts: () => ({ echo: [[tools.echo.call], closing("echo")] }) });
    const args = [join(import.meta.dirname, "mcp-server.ts")];
    const echo = { command: process.execPath, args, env: { ECHO_PREFIX: "echo" } };
    const client = await openChat(world, { ...sessions.trusted, mcpServers: { echo } });
    await converse(world, client, { text: "Use it [[echo]]" }, "echo");
    expect(client.tools).toMatchObject([{ state: "output-available", ...tools.echo.part }]);
  });

  it.skipIf(!agent.subagent)("shows what a sub-agent does under the call that began it", async () => {
    const { session, scripts, call, parts, reportsLater } = agent.subagent!;
    await using world = await start({ scripts: (project) => scripts(project, [text(LAST_WORDS)]) });
    world.write("one.txt", "first");
    const client = await openChat(world, session);
    await client.chat.sendMessage({ text: "Find out [[delegate]]" });
    await until(async () => textOf((await client.stored()).at(-1)!).endsWith(LAST_WORDS));

    const { messages } = (await loadPage(world, client)).chat;
    const answers = reportsLater ? ["assistant", "system", "assistant"] : ["assistant"];
    expect(messages.map(({ role }) => role)).toEqual(["user", ...answers]);
    const calls = messages.flatMap((message) => message.parts.filter(isToolPart));
    expect(calls[0]).toMatchObject({ state: "output-available", ...call });
    const { toolCallId } = calls[0]!;
    const shown = messages.flatMap((message) => message.parts.filter(({ type }) => type === "data-subagent"));
    expect(shown).toMatchObject(
      parts.map((part, index) => ({ id: `${toolCallId}:${index + 1}`, data: { parent: toolCallId, part } })),
    );
    await client.expectValidChunks();
    if (!reportsLater) {
      expect(client.last.parts.filter(({ type }) => type === "data-subagent")).toEqual(shown);
      expect(client.last.metadata).toMatchObject({ outcome: "completed" });
    }
  });
});
