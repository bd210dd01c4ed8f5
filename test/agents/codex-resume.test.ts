/** A conversation of Codex that cannot be taken up: it is gone for good, or somebody else has it open. */
import { spawn } from "node:child_process";
import { globSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, inject, it } from "vitest";
import { text } from "../../src/testkit/scripted-model/index.ts";
import { type AgentSession, ofType } from "./agent-session.ts";
import type { AgentWorld } from "./agent-world.ts";
import { codexWorld } from "./codex-world.ts";

const scripts = () => ({ hello: [text("Hello.")], recall: [text("I remember.")] });

/** A session whose agent has gone, with all that Codex wrote. */
async function absent(world: AgentWorld): Promise<AgentSession> {
  const session = await world.session();
  await session.run("The word is kestrel [[hello]]");
  await world.stopDaemon();
  return session;
}

async function back(world: AgentWorld, session: AgentSession): Promise<void> {
  await world.startDaemon();
  await session.watch();
}

it("says so when its conversation is gone, and begins a new one", async () => {
  await using world = await codexWorld({ scripts });
  const session = await absent(world);
  rmSync(join(world.home, ".codex", "sessions"), { recursive: true });
  await back(world, session);
  expect((await session.run("Again [[hello]]")).text).toBe("Hello.");
  expect(ofType(session.events, "notice").find(({ code }) => code === "resume")?.text).toContain(
    "Codex has no such conversation any more.",
  );
  // It is told what was said.
  expect(JSON.stringify(world.model.requests.at(-1)?.body.input)).toMatch(/Account of.*kestrel/);
});

it("keeps a conversation that another Codex has open, and takes it up when that has left", async () => {
  await using world = await codexWorld({ scripts });
  const session = await absent(world);
  const { agentSessionId } = await session.event("session.attached");
  const other = await openElsewhere(world, agentSessionId!);
  try {
    await back(world, session);
    expect((await session.run("Hello? [[hello]]")).ended).toMatchObject({
      outcome: "failed",
      error: { code: "agent_failed", message: expect.stringMatching(/Another Codex.*conversation is kept/) },
    });
  } finally {
    await other.leave();
  }
  expect((await session.run("What was the word? [[recall]]")).text).toBe("I remember.");
  expect(JSON.stringify(world.model.requests.at(-1)?.body.input)).toContain("kestrel");
  expect(ofType(session.events, "notice").filter(({ code }) => code === "resume")).toEqual([]);
});

/** As somebody does who goes on with the conversation in a terminal. */
async function openElsewhere(world: AgentWorld, threadId: string): Promise<{ leave(): Promise<unknown> }> {
  const [program] = globSync(join(inject("installedAgents"), "agents/codex/program/**/bin/codex"));
  const child = spawn(program!, ["app-server"], {
    env: world.environment,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const left = new Promise((resolve) => child.once("close", resolve));
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const call = async (id: number, method: string, params: object) => {
    child.stdin.write(`${JSON.stringify({ id, method, params })}\n`);
    for (;;) {
      const { value, done } = await answers.next();
      if (done) throw new Error("the other Codex has exited");
      const answer = JSON.parse(value);
      if (answer.id === id) return expect(answer.error).toBeUndefined();
    }
  };
  await call(1, "initialize", { clientInfo: { name: "other", title: null, version: "1" } });
  await call(2, "thread/resume", { threadId });
  return {
    leave() {
      child.kill("SIGKILL");
      return left;
    },
  };
}
