/** Agents through `/api/chat`, with the stock client of the AI SDK: what a reader finds when something goes wrong. */
import { describe, expect, it } from "vitest";
import { disconnect, hang, httpError, streamError, text } from "../../src/testkit/scripted-model/index.ts";
import { type StockChat, textOf } from "../chat/stock-chat.test-support.ts";
import { AGENTS } from "./agents.ts";
import {
  closing,
  converse,
  FIRST_HALF,
  keptText,
  LAST_WORDS,
  loadPage,
  openChat,
  watchEnd,
} from "./chat-pages.ts";

/** The turn is over, and says why it failed. */
async function expectFailed(client: StockChat, told: RegExp, code?: string): Promise<void> {
  expect(client.chat.status).toBe("error");
  const { message } = client.chat.error!;
  expect(message).toMatch(told);
  expect(client.last.metadata).toMatchObject({
    outcome: "failed",
    error: { message, ...(code !== undefined && { code }) },
  });
  expect(client.chunks.at(-1)).toMatchObject({ type: "finish", finishReason: "error" });
  await client.expectStored();
}

describe.each(AGENTS)("$agent.name", ({ world: start, sessions, ...agent }) => {
  it("goes on after an answer 429, an answer 500 and a reset connection that do not come again", async () => {
    await using world = await start({
      scripts: () => ({
        busy: [httpError(429, { message: "slow down", retryAfter: 1, times: 1 }), ...closing("busy")],
        broken: [httpError(500, { message: "broken", times: 1 }), ...closing("broken")],
        reset: [disconnect({ times: 1 }), ...closing("reset")],
      }),
    });
    const client = await openChat(world, sessions.trusted);
    for (const fault of ["busy", "broken", "reset"]) {
      await converse(world, client, { text: `Try [[${fault}]]` }, fault);
      expect(client.text).toBe(LAST_WORDS);
    }
    expect(client.chat.messages).toHaveLength(6);
  });

  it("goes on after a stream that broke off, and takes the first half back", async () => {
    const faults = { error: streamError({ times: 1 }), reset: disconnect({ times: 1 }) };
    await using world = await start({
      scripts: () => ({
        hello: [text("Hello.")],
        error: [text(FIRST_HALF), hang("error"), faults.error, text("is done.")],
        reset: [text(FIRST_HALF), hang("reset"), faults.reset, text("is done.")],
      }),
    });
    const client = await openChat(world, sessions.trusted);
    await client.chat.sendMessage({ text: "Begin [[hello]]" });
    for (const fault of Object.keys(faults)) {
      await converse(world, client, { text: `Speak [[${fault}]]` }, fault);
      expect(client.text).toBe(FIRST_HALF + LAST_WORDS);
      expect(keptText(client.last)).toBe(LAST_WORDS);
    }
  });

  it("says in the client why a turn failed, and can go on", async () => {
    const { lasting } = agent.errors;
    await using world = await start({
      scripts: () => ({
        ...Object.fromEntries(
          lasting.map(({ status, said }) => [`status-${status}`, [httpError(status, { message: said })]]),
        ),
        hello: closing("hello"),
      }),
    });
    const client = await openChat(world, sessions.trusted);
    for (const { status, code, told } of lasting) {
      await client.chat.sendMessage({ text: `Try [[status-${status}]]` });
      await expectFailed(client, told, code);
    }
    await converse(world, client, { text: "Again [[hello]]" }, "hello");
    expect(client.chat.messages).toHaveLength(2 * lasting.length + 2);
  });

  it.skipIf(agent.errors.neverGivesUp)("says that the connection was lost for good", async () => {
    await using world = await start({
      scripts: () => ({
        error: [text(FIRST_HALF), streamError()],
        reset: [text(FIRST_HALF), disconnect()],
        hello: closing("hello"),
      }),
    });
    const client = await openChat(world, sessions.trusted);
    for (const fault of ["error", "reset"]) {
      await client.chat.sendMessage({ text: `Speak [[${fault}]]` });
      await expectFailed(client, /overload|connection|stream/i);
    }
    await converse(world, client, { text: "Again [[hello]]" }, "hello");
  });

  it("is stopped in the middle of a text: both pages see it, and it goes on", async () => {
    await using world = await start({
      scripts: () => ({ endless: closing("never"), hello: closing("hello") }),
    });
    const client = await openChat(world, sessions.trusted);
    const sending = client.chat.sendMessage({ text: "Talk [[endless]]" });
    const { call } = world.chatServer();
    const page = await watchEnd(world, client, async () => {
      const { body } = await call("POST", `/api/chat/${client.chat.id}/stop`);
      expect(body).toEqual({ interrupted: true });
    });
    await sending;
    for (const { chat, chunks, last, text: said } of [client, page]) {
      expect([chat.status, said]).toEqual(["ready", FIRST_HALF]);
      expect(last.metadata).toMatchObject({ outcome: "interrupted" });
      expect(chunks.slice(-2)).toMatchObject([{ type: "abort" }, { type: "finish", finishReason: "other" }]);
    }
    await converse(world, client, { text: "Now [[hello]]" }, "hello");
  });

  it("is stopped in the middle of a command, whose part is closed", async () => {
    const endless = agent.tools.run("while true; do echo x >> ticks.txt; sleep 0.1; done");
    await using world = await start({ scripts: () => ({ loop: [[endless], closing("never")] }) });
    const client = await openChat(world, sessions.trusted);
    const sending = client.chat.sendMessage({ text: "Loop [[loop]]" });
    await client.until(
      "the command",
      () => client.last.role === "assistant" && client.tools[0]?.state === "input-available",
    );
    await world.chatServer().call("POST", `/api/chat/${client.chat.id}/stop`);
    await sending;
    await client.until("the end", () => client.chat.status === "ready");
    expect(client.tools).toMatchObject([{ state: expect.stringMatching(/^output-(available|error)$/) }]);
    expect(client.last.metadata).toMatchObject({ outcome: "interrupted" });
    // How the command ended may be told after its call was settled: only the stored message has it then.
    await client.expectStored({ without: "data-tool-result" });
  });

  it("is killed: the turn fails in the client, and the next one finds it informed", async () => {
    await using world = await start({
      scripts: () => ({ endless: closing("never"), recall: closing("recall") }),
    });
    const client = await openChat(world, sessions.trusted);
    const [session] = world.sessions;
    const sending = client.chat.sendMessage({ text: "Talk [[endless]]" });
    const page = await watchEnd(world, client, async () => {
      await agent.untilWritten?.(world, "[[endless]]");
      process.kill(await session!.pid(), "SIGKILL");
    });
    await sending;
    for (const viewer of [client, page]) await expectFailed(viewer, /SIGKILL/, "agent_exited");
    await converse(world, client, { text: "Recall [[recall]]" }, "recall");
    expect(agent.heard(world.model).input).toContain("Talk [[endless]]");
  });

  it("goes on in a page that is loaded after the daemon was killed", async () => {
    await using world = await start({
      scripts: () => ({ hello: closing("hello"), endless: closing("never"), recall: closing("recall") }),
    });
    const daemon = await world.startDaemonProcess();
    const client = await openChat(world, sessions.trusted);
    await converse(world, client, { text: "Hello [[hello]]" }, "hello");
    const sending = client.chat.sendMessage({ text: "Talk [[endless]]" });
    await client.until(
      "the first half",
      () => client.last.role === "assistant" && client.text === FIRST_HALF,
    );
    await agent.untilWritten?.(world, "[[endless]]");
    await daemon.kill("SIGKILL");
    await sending;
    expect(client.chat.status).toBe("error");

    await world.startDaemonProcess();
    const page = await loadPage(world, client);
    await page.resume();
    expect(page.resumes).toEqual([204]);
    expect(page.chat.messages.map(textOf)).toEqual([
      "Hello [[hello]]",
      LAST_WORDS,
      "Talk [[endless]]",
      FIRST_HALF,
    ]);
    expect(page.last.metadata).toMatchObject({
      outcome: "interrupted",
      error: { code: "daemon_restarted" },
    });
    await converse(world, page, { text: "Recall [[recall]]" }, "recall");
    expect(agent.heard(world.model).input).toContain("Hello [[hello]]");
  });

  it.skipIf(agent.agent.isBuiltIn)("says how to install it", async () => {
    await using world = await start({ isInstalled: false, environment: { PATH: "/usr/bin:/bin" } });
    const client = await openChat(world, sessions.trusted);
    await client.chat.sendMessage({ text: "Hello" });
    const { name } = agent.agent;
    await expectFailed(client, new RegExp(`interlingua agents install ${name}`), "agent_not_installed");
  });
});
