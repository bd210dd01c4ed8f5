/** Starting, resuming and leaving an ACP agent, and what is said when that does not work. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { InterlinguaError } from "../../core/error.ts";
import { expectSound, isAlive, withMadeUpAgent } from "./made-up-agent.test-support.ts";

const agent = withMadeUpAgent();

describe("an agent that cannot be used", () => {
  it.each([
    ["exits", "it exited before it was ready. It wrote: there is no licence on this machine"],
    ["refuses", "not with you"],
    ["later-version", "it speaks version 2 of the Agent Client Protocol, and we speak version 1"],
    ["no-session-id", "it opened a session without an id"],
  ] as const)("%s: %s", async (fault, reason) => {
    const connecting = agent().start({ adapter: agent().adapter({ fault }) });
    await expect(connecting).rejects.toMatchObject({
      code: "agent_failed",
      message: expect.stringContaining(reason),
    });
  });

  it("that never answers is given up after its time", async () => {
    const adapter = agent().adapter({ fault: "silent" }, { startTimeoutMs: 200 });
    await expect(agent().start({ adapter })).rejects.toMatchObject({
      code: "agent_failed",
      message: expect.stringContaining(
        "was not ready within 0.2 seconds. Try again, or raise limits.connectTimeoutMs",
      ),
    });
  });

  it("that wants to be signed in says how", async () => {
    const connecting = agent().start({ adapter: agent().adapter({ fault: "wants-sign-in" }) });
    await expect(connecting).rejects.toMatchObject({
      code: "agent_not_signed_in",
      message: expect.stringMatching(/It offers: key \(Set AGENT_KEY\)\..* Set AGENT_KEY\.$/),
    });
  });

  it("that is no program", async () => {
    const adapter = agent().adapter({ command: "/no/such/program", args: [], from: "config" });
    await expect(agent().start({ adapter })).rejects.toMatchObject({ code: "agent_failed" });
  });

  it("none of them leaves a process", async () => {
    await expect(
      agent().host.sweep({ owner: (owner) => owner.startsWith(agent().daemonId) }),
    ).resolves.toEqual([]);
  });
});

it("noise on its output is noted and nothing is lost", async () => {
  const run = await agent().start({ adapter: agent().adapter({ fault: "noise" }) });
  await run.turn("text");
  expect(run.text).toBe("Hello from the agent.");
  expect(new Set(run.of("agent.unknown").map(({ native }) => native))).toEqual(
    new Set(["not-json", "not-an-object", "not-utf-8"]),
  );
  await expectSound(run);
});

it("one that stays when it is told to leave is ended", async () => {
  const run = await agent().start({ adapter: agent().adapter({ fault: "stays" }) });
  await run.turn("text");
  await run.close();
  expect(isAlive(run.pid)).toBe(false);
});

it.each([
  ["session/load", "none"],
  ["session/resume", "retells"],
] as const)("a history that is told again at %s is not written twice", async (method, fault) => {
  const adapter = agent().adapter({ fault });
  const first = await agent().start({ adapter });
  await first.turn("the word is kestrel");
  await first.close();
  const { agentSessionId } = first.machine.state;
  const second = await agent().start({ adapter, after: first, resume: true, agentSessionId });
  await second.turn("recall");
  expect(second.outputs.map(({ raw }) => String(raw.data)).join("\n")).toContain(`"${method}"`);
  expect(second.text).toBe("notedthe word is kestrel");
  expect(second.of("session.attached").at(-1)).toMatchObject({ resumed: true, agentSessionId });
  expect(second.of("tool.start")).toEqual([]);
  expect(second.of("notice")).toEqual([]);
  expect(second.of("turn.ended").map(({ outcome }) => outcome)).toEqual(["completed", "completed"]);
  await expectSound(second);
});

it.each([
  ["that is not there is lost", { memory: "" }, "conversation_lost", undefined],
  ["that could not be loaded may be there", { fault: "cannot-load" }, "agent_failed", undefined],
  ["of an agent that refuses everybody is kept", { fault: "refuses" }, "agent_failed", true],
  ["of an agent that is too new is kept", { fault: "later-version" }, "agent_failed", true],
] as const)("a session %s", async (_, options, code, keepsConversation) => {
  const adapter = agent().adapter(options);
  const connecting = agent().start({ adapter, resume: true, agentSessionId: "gone" });
  const error: InterlinguaError = await connecting.then(
    () => expect.fail("it was opened"),
    (reason) => reason,
  );
  expect([error.code, error.extras.keepsConversation]).toEqual([code, keepsConversation]);
});

describe("settings", () => {
  it("a model is set before the first prompt", async () => {
    const run = await agent().start({ model: "small" });
    await run.turn("model");
    expect(run.text).toBe("model: small");
    expect(run.machine.state.model).toBe("small");
    await expectSound(run);
  });

  it("of two changes made at once the last one holds", async () => {
    const run = await agent().start({ model: "large" });
    const changes = ["small", "large"].map((model) => run.session.send({ type: "configure", model }));
    await Promise.all(changes);
    await run.turn("model");
    expect(run.text).toBe("model: large");
    expect(run.machine.state.model).toBe("large");
    await expectSound(run);
  });

  it.each([
    [{ mode: "yolo" }, "agent_failed", 'it has no mode "yolo"; it offers none'],
    [{ permissionMode: "plan" }, "unsupported", "choose one of its own modes"],
    [{ adapterOptions: { colour: "red" } }, "invalid_request", "Made-up does not take these options"],
    [{ adapterOptions: { settings: { effort: "high" } } }, "option_not_offered", 'no setting "effort"'],
    [{ mcpServers: { files: { commando: "x" } } }, "invalid_request", "MCP servers cannot be used: files"],
    [
      { mcpServers: { web: { type: "http", url: "http://127.0.0.1:1" } } },
      "agent_failed",
      'MCP server "web"',
    ],
  ] as const)("%j is refused", async (options, code, message) => {
    await expect(agent().start(options)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });
});

it("files and commands go through us where a session allows it", async () => {
  const run = await agent().start({ adapterOptions: { files: true, terminals: true } });
  const file = join(agent().directory, "made.txt");
  await run.turn(`through-client ${file}`);
  expect(readFileSync(file, "utf8")).toBe("by the client\n");
  expect(run.of("tool.output")[0]).toMatchObject({ output: "by the client\n", exitCode: 0 });
  await expectSound(run);
});

it("a probe tells the version, or what is wrong", async () => {
  await expect(agent().adapter().probe()).resolves.toEqual({ installed: true, version: "1.0.0" });
  await expect(agent().adapter({ fault: "exits" }).probe()).resolves.toMatchObject({
    installed: true,
    remedy: expect.stringContaining("no licence"),
  });
});
