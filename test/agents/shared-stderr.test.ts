/** What a process writes to stderr that several sessions share. */
import { globSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, it } from "vitest";
import { text } from "../../src/testkit/scripted-model/index.ts";
import { until } from "../../src/testkit/until.ts";
import type { AgentSession } from "./agent-session.ts";
import { codexWorld } from "./codex-world.ts";
import { openCodeSession, openCodeWorld } from "./opencode-world.ts";

const scripts = () => ({ hello: [text("Hello.")] });

/** The installed program, which also writes a line to stderr at its start and one whenever it gets SIGUSR1. */
function talkative(pattern: string): string[] {
  const [program] = globSync(pattern, { cwd: inject("installedAgents") });
  const words = [
    "const { spawn } = require('node:child_process');",
    "console.error('a warning at its start');",
    "process.on('SIGUSR1', () => console.error('a warning later'));",
    "const child = spawn(process.argv[1], process.argv.slice(2), { stdio: 'inherit' });",
    "process.once('SIGTERM', () => child.kill('SIGTERM'));",
    "child.once('exit', (code) => process.exit(code ?? 0));",
  ];
  return [process.execPath, "-e", words.join("\n"), join(inject("installedAgents"), program!)];
}

async function stderrOf(session: AgentSession): Promise<string[]> {
  const { body } = await session.call("GET", "/raw?limit=1000");
  return body.raws.flatMap(({ data }: { data: { event?: string; text?: string } }) =>
    data.event === "stderr" ? [data.text] : [],
  );
}

async function expectTold(one: AgentSession, two: AgentSession): Promise<void> {
  await one.run("Hello [[hello]]");
  await two.run("Hello [[hello]]");
  expect(await stderrOf(one)).toContain("a warning at its start");
  expect(await two.pid()).toBe(await one.pid());
  process.kill(await one.pid(), "SIGUSR1");
  for (const session of [one, two])
    await until(async () => (await stderrOf(session)).includes("a warning later"));
}

it("of Codex is in the raw records of each of its sessions", async () => {
  const command = talkative("agents/codex/program/*/node_modules/@openai/codex-*/vendor/*/bin/codex");
  await using world = await codexWorld({ scripts, agents: { codex: { command } } });
  await expectTold(await world.session(), await world.session());
});

it("of OpenCode is in the raw records of each of its sessions", async () => {
  const command = talkative("agents/opencode/program/*/node_modules/opencode-linux-*/bin/opencode");
  await using world = await openCodeWorld({ scripts, agents: { opencode: { command } } });
  await expectTold(await openCodeSession(world), await openCodeSession(world));
});
