/** An agent that only the config knows: it is run like any other, and what is wrong with it is told. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { EventOf, SessionEvent } from "../src/core/event.ts";
import { type Daemon, type DaemonOptions, startDaemon } from "../src/daemon.ts";
import { call, TOKEN } from "../src/server/http-client-test-support.ts";
import { type MisbehavingAcpAgentOptions, misbehavingAcpAgent } from "../src/testkit/index.ts";
import { until } from "../src/testkit/until.ts";

let directory: string;
let daemon: Daemon | undefined;

beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-custom-")));
});

afterEach(async () => {
  await daemon?.close();
  daemon = undefined;
  rmSync(directory, { recursive: true });
});

async function start(agents: DaemonOptions["agents"]): Promise<void> {
  daemon = await startDaemon({ data: ":memory:", port: 0, token: TOKEN, roots: [directory], agents });
}

function odd(options: MisbehavingAcpAgentOptions = {}): NonNullable<DaemonOptions["agents"]>[string] {
  const { command, args } = misbehavingAcpAgent(options);
  return { protocol: "acp", command: [command, ...args], env: { AGENT_KEY: "$HOME" } };
}

/** Prompts and gives the end of the turn, and the whole log. */
async function run(
  agent: string,
  text: string,
): Promise<{ ended: EventOf<"turn.ended">; events: SessionEvent[] }> {
  const { url } = daemon!;
  await call(url, "POST", "/v1/sessions/s", { body: { agent, cwd: directory } });
  await call(url, "POST", "/v1/sessions/s/messages", { body: { text } });
  let events: SessionEvent[] = [];
  await until(async () => {
    events = (await call(url, "GET", "/v1/sessions/s/events?limit=1000")).body.events;
    return events.some(({ type }) => type === "turn.ended");
  });
  return { ended: events.find((event) => event.type === "turn.ended")!, events };
}

it("is listed, and answers", async () => {
  await start({ odd: odd() });
  const { agents } = (await call(daemon!.url, "GET", "/v1/agents")).body;
  expect(agents.map(({ name }: { name: string }) => name)).toContain("odd");
  const { ended, events } = await run("odd", "text");
  expect(ended.outcome).toBe("completed");
  expect(events.flatMap((event) => (event.type === "text.delta" ? event.delta : ""))).toContain(
    "Hello from the agent.",
  );
});

it.each([
  ["exits", "there is no licence on this machine"],
  ["wants-sign-in", "Sign in with its own program, or set its key in agents.odd.env"],
  ["later-version", "it speaks version 2"],
] as const)("that cannot be used fails the turn: %s", async (fault, reason) => {
  await start({ odd: odd({ fault }) });
  const { ended } = await run("odd", "text");
  expect(ended).toMatchObject({ outcome: "failed", error: { message: expect.stringContaining(reason) } });
});

it("whose program is not there fails the turn, and the error names the setting", async () => {
  await start({ odd: { protocol: "acp", command: "no-such-program" } });
  const { ended } = await run("odd", "text");
  expect(ended.error?.message).toContain("agents.odd.command");
});

describe("a participant prompts an agent that nobody has reviewed", () => {
  async function participantSays(asks: NonNullable<DaemonOptions["agents"]>[string]["asks"], text: string) {
    await start({ odd: { ...odd(), asks } });
    const { url } = daemon!;
    await call(url, "POST", "/v1/sessions/s", { body: { agent: "odd", cwd: directory } });
    const made = await call(url, "POST", "/v1/tokens", { body: { name: "anna", role: "participant" } });
    const headers = { authorization: `Bearer ${made.body.token}` };
    return call(url, "POST", "/v1/sessions/s/messages", { headers, body: { text } });
  }

  it("and is refused where the config does not say that it asks", async () => {
    for (const asks of [undefined, { byDefault: false }, { modes: ["ask"] }]) {
      const { status, body } = await participantSays(asks, "text");
      expect([status, body.detail]).toEqual([
        403,
        expect.stringContaining("Prompting an agent that does not ask"),
      ]);
      await daemon!.close();
    }
  });

  it("where the config says that it asks", async () => {
    expect((await participantSays({ byDefault: true, commands: ["help"] }, "text")).status).toBe(202);
    await daemon!.close();
    expect((await participantSays({ byDefault: true, commands: ["help"] }, "/help me")).status).toBe(202);
    await daemon!.close();
    const { status, body } = await participantSays({ byDefault: true }, "/help me");
    expect([status, body.errors]).toEqual([403, [{ path: "parts", message: "needs the role operator" }]]);
  });
});

describe("settings that make no sense are refused at the start", () => {
  it.each([
    [{ odd: { protocol: "acp" } }, "agents.odd.command: an agent with a protocol needs its command"],
    [{ odd: { ...odd(), install: "auto" } }, "agents.odd.install"],
    [{ claude: { asks: { byDefault: true } } }, "agents.claude.asks: claude comes with Interlingua"],
    [{ "an odd one": odd() }, "agents.an odd one: use up to 64 letters"],
    [{ gemini: odd() }, 'the agent "gemini" comes with Interlingua'],
    [{ mock: odd() }, 'the agent "mock" comes with Interlingua'],
    [{ odd: { command: "x" } }, "For one of your own give its protocol and command, or its module."],
  ] as [DaemonOptions["agents"], string][])("%j", async (agents, message) => {
    await expect(start(agents)).rejects.toThrow(message);
  });
});
