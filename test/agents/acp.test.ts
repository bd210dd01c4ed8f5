/** Real ACP agents from npm, each through the daemon: what a person does with an agent in a day. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hang, httpError, text } from "../../src/testkit/scripted-model/index.ts";
import { until } from "../../src/testkit/until.ts";
import { ACP_AGENTS, type AcpAgentUnderTest } from "./acp-agents.ts";
import { ACP_NAMES } from "./acp-names.ts";
import { type AgentSession, ofType, type Turn } from "./agent-session.ts";
import { AgentWorld } from "./agent-world.ts";
import { runAfterStop } from "./run-after-stop.ts";

function scriptsOf(agent: AcpAgentUnderTest) {
  return () => ({
    hello: [text("Hello, ", "world.")],
    make: [[text("I make it. "), agent.shell("echo made > made.txt")], [text("It is made.")]],
    refused: [[agent.shell("echo no > refused.txt")], [text("Then not.")]],
    endless: [text("I begin, ", "and go on. "), hang()],
    unauthorized: [httpError(401, { message: "Incorrect API key provided" })],
    broken: [httpError(400, { message: "the scripted failure" })],
    recall: [text("I remember.")],
  });
}

it("runs every agent that is installed for it", () => {
  expect(ACP_AGENTS.map(({ name }) => name)).toEqual(ACP_NAMES);
});

describe.each(ACP_AGENTS)("$name", (agent) => {
  it("speaks, asks, stops, fails, and remembers after the daemon was started again", async () => {
    await using world = await AgentWorld.start(agent, { scripts: scriptsOf(agent) });
    const session = await world.session(agent.session);

    const hello = await session.run("The word is kestrel. [[hello]]");
    expect(hello.text).toContain("Hello, world.");
    expect(hello.ended.outcome).toBe("completed");
    const attached = await session.event("session.attached");
    expect(attached).toMatchObject({
      agentSessionId: expect.any(String),
      agentVersion: expect.stringMatching(/^\d+\.\d+/),
    });
    if (attached.models) expect(attached.models.map(({ id }) => id)).toContain(attached.model);

    const made = await decide(agent, session, "Make it. [[make]]", "once");
    expect(made).toMatchObject({ ended: { outcome: "completed" } });
    expect(made.text).toContain("It is made.");
    expect(ofType(made.events, "tool.output")).not.toEqual([]);
    expect(existsSync(join(world.project, "made.txt"))).toBe(true);

    if (!agent.asksNobody) {
      const refused = await decide(agent, session, "Make another. [[refused]]", "reject");
      expect(refused.ended.outcome).toBe("completed");
      expect(ofType(refused.events, "tool.denied")).toHaveLength(1);
      expect(ofType(refused.events, "tool.start")).toHaveLength(1);
      expect(existsSync(join(world.project, "refused.txt"))).toBe(false);
    }

    const endless = await session.prompt("Go on. [[endless]]");
    await until(() => world.model.requests.some(({ script }) => script === "endless"), 60_000);
    if (!agent.speaksAtOnce) await session.event("text.delta", ({ delta }) => delta.includes("I begin"));
    await session.call("POST", "/interrupt");
    expect((await session.turnOf(endless.message)).ended).toMatchObject({ outcome: "interrupted" });

    expectError(agent, await runAfterStop(agent, session, "Fail. [[broken]]"));
    if (!agent.hidesRefusals) {
      expect((await session.run("Fail. [[unauthorized]]")).ended.error).toMatchObject({
        code: "authentication_failed",
        message: expect.stringMatching(/The credentials of .* were refused\. Run /),
      });
    }

    // Its own session begins with the first prompt, which may be in the minute after ours.
    const { at } = await session.event("session.attached");
    if (agent.resumesNextMinute) await until(() => minuteOf(Date.now()) > minuteOf(at), 61_000);
    const before = world.model.requests.length;
    await restart(world, session);
    const recall = await session.run("What was the word? [[recall]]");
    expect(recall.text).toContain("I remember.");
    expect(recall.text).not.toContain("Hello, world.");
    expect(ofType(session.events, "session.attached").at(-1)).toMatchObject({ resumed: true });
    const asked = world.model.requests.slice(before).map(({ body }) => JSON.stringify(body));
    expect(asked.some((body) => body.includes("[[recall]]") && body.includes("kestrel"))).toBe(true);
  });
});

function minuteOf(time: number): number {
  return Math.floor(time / 60_000);
}

/** Runs a prompt that makes the agent ask, and answers. */
async function decide(
  agent: AcpAgentUnderTest,
  session: AgentSession,
  prompt: string,
  reply: "once" | "reject",
): Promise<Turn> {
  if (agent.asksNobody) return session.run(prompt);
  const { message } = await session.prompt(prompt);
  const { turn } = await session.event("prompt.dispatched", (event) => event.message === message);
  const ask = await session.event("ask.opened", (event) => event.turn === turn);
  expect(ask).toMatchObject({ kind: "permission", call: expect.any(String) });
  if (agent.tellsNoInput) expect(ask.title).toContain("echo ");
  else
    await session.event(
      "tool.input",
      ({ call, input }) => call === ask.call && JSON.stringify(input).includes("echo "),
    );
  await session.answer(ask.ask, { reply });
  return session.turnOf(message);
}

function expectError({ errorIs }: AcpAgentUnderTest, { ended, events }: Turn): void {
  if (errorIs === "failure") {
    expect(ended).toMatchObject({ outcome: "failed", error: { code: "agent_error" } });
    expect(ended.error!.message).toContain("the scripted failure");
    return;
  }
  expect(ended.outcome).toBe("completed");
  expect(ofType(events, "notice")).toMatchObject([{ code: "silent" }]);
}

async function restart(world: AgentWorld, session: AgentSession): Promise<void> {
  await world.stopDaemon();
  await world.startDaemon();
  await session.watch();
}
