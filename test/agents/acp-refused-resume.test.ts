/** Claude Code over an ACP agent that refuses a session it does not have with an error about something else. */
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { text } from "../../src/testkit/scripted-model/index.ts";
import { installLocked } from "../locked-packages.ts";
import { ofType } from "./agent-session.ts";
import { AgentWorld } from "./agent-world.ts";
import { CLAUDE_AGENT } from "./claude-world.ts";

const scripts = () => ({ hello: [text("Hello.")], recall: [text("I was told.")] });
const AGENT = { ...CLAUDE_AGENT, name: "claude-code-acp", isBuiltIn: true };
const KEYS = Object.keys(CLAUDE_AGENT.environment({ url: "" }));

let command: string[];

beforeAll(async () => {
  const packages = await installLocked(resolve(import.meta.dirname, "../acp-agents"));
  const program = "node_modules/@zed-industries/claude-code-acp/dist/index.js";
  command = [process.execPath, join(packages, program)];
});

it("claude-code-acp does not lock a session whose resume it refuses without saying why", async () => {
  const env = Object.fromEntries(KEYS.map((name) => [name, `$${name}`]));
  const agents = { [AGENT.name]: { protocol: "acp" as const, command, env } };
  await using world = await AgentWorld.start(AGENT, { scripts, agents });
  const session = await world.session();
  await session.run("The word is kestrel. [[hello]]");
  await world.stopDaemon();
  rmSync(join(world.home, ".claude", "projects"), { recursive: true });

  await world.startDaemon();
  await session.watch();
  expect((await session.run("What was the word? [[recall]]")).ended).toMatchObject({
    outcome: "failed",
    error: {
      code: "resume_failed",
      message: expect.stringMatching(/Query closed before response received.*Send the prompt again/s),
    },
  });

  await world.stopDaemon();
  await world.startDaemon();
  await session.watch();
  expect((await session.run("Again: what was the word? [[recall]]")).text).toBe("I was told.");
  const notices = ofType(session.events, "notice").filter(({ code }) => code === "resume");
  expect(notices).toMatchObject([{ level: "warning", text: expect.stringContaining("a written account") }]);
  expect(JSON.stringify(world.model.requests.at(-1)?.body)).toMatch(/Account of.*kestrel/);
});
