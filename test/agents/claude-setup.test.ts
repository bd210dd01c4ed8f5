/** What Claude Code is found to be, and what its options change, seen in what the model is asked. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call } from "../../src/server/http-client-test-support.ts";
import type { JournalEntry } from "../../src/testkit/scripted-model/index.ts";
import { text, toolCall } from "../../src/testkit/scripted-model/index.ts";
import { ofType } from "./agent-session.ts";
import { claudeWorld } from "./claude-world.ts";

const hello = () => ({ hello: [text("Hello.")] });

function toolNames({ body }: JournalEntry): string[] {
  return (body.tools as { name: string }[]).map(({ name }) => name);
}

it("tells its version and whether somebody is signed in", async () => {
  await using world = await claudeWorld({});
  const { body } = await call(world.url, "GET", "/v1/agents/claude");
  expect(body.status).toMatchObject({
    installed: true,
    signedIn: true,
    version: expect.stringMatching(/^2\./),
  });

  await using other = await claudeWorld({ environment: { ANTHROPIC_API_KEY: undefined } });
  const { body: signedOut } = await call(other.url, "GET", "/v1/agents/claude");
  expect(signedOut.status).toMatchObject({
    installed: true,
    signedIn: false,
    remedy: expect.stringContaining("auth login"),
  });
});

it("takes tools away, adds to its instructions, and thinks as much as it is told to", async () => {
  await using world = await claudeWorld({ scripts: hello });
  world.write("../other/CLAUDE.md", "");
  const session = await world.session({
    model: "claude-haiku-4-5",
    options: {
      disallowedTools: ["WebFetch", "Bash"],
      additionalDirectories: [join(world.project, "../other")],
      appendSystemPrompt: "Speak like a kestrel.",
      maxThinkingTokens: 2000,
      fallbackModel: "claude-sonnet-4-5",
      settingSources: [],
      strictMcpConfig: true,
    },
  });
  expect((await session.run("Hello [[hello]]")).text).toBe("Hello.");
  const request = world.model.requests.at(-1)!;
  expect(toolNames(request)).toContain("Write");
  expect(toolNames(request)).not.toContain("Bash");
  expect(JSON.stringify(request.body.system)).toContain("Speak like a kestrel.");
  expect(request.body.thinking).toMatchObject({ budget_tokens: 2000 });
});

it("has only the tools that were named, and the effort", async () => {
  await using world = await claudeWorld({ scripts: hello });
  const session = await world.session({ options: { tools: ["Read", "Write"], effort: "low" } });
  await session.run("Hello [[hello]]");
  const request = world.model.requests.at(-1)!;
  expect(toolNames(request)).toEqual(expect.arrayContaining(["Read", "Write"]));
  expect(toolNames(request)).not.toContain("Edit");
  expect(request.body.output_config).toMatchObject({ effort: "low" });
});

it.each([
  [{ maxTurns: 1 }, "max_turns"],
  [{ maxBudgetUsd: 0.00001 }, "max_budget_usd"],
])("stops at a limit: %j", async (options, code) => {
  await using world = await claudeWorld({
    scripts: (project) => ({
      write: [
        [toolCall("Write", { file_path: join(project, "a.txt"), content: "A" })],
        [text("Never said.")],
      ],
    }),
  });
  const session = await world.session({ permissionMode: "acceptEdits", options });
  const { ended, text: said } = await session.run("Write [[write]]");
  expect(ended).toMatchObject({ outcome: "limit", error: { code } });
  expect(said).toBe("");
});

it("says so when its conversation is gone, and begins a new one", async () => {
  await using world = await claudeWorld({ limits: { idleDetachMs: 300 }, scripts: hello });
  const session = await world.session();
  await session.run("Hello [[hello]]");
  await session.event("session.detached");
  rmSync(join(world.home, ".claude/projects"), { recursive: true });
  expect((await session.run("Again [[hello]]")).text).toBe("Hello.");
  expect(ofType(session.events, "notice").find(({ code }) => code === "resume")?.text).toContain(
    "Claude Code has no such conversation any more.",
  );
});
