/** What a person reads when the model or the set-up fails. Every turn ends, and the session can go on. */
import { expect, it } from "vitest";
import { disconnect, hang, httpError, streamError, text } from "../../src/testkit/scripted-model/index.ts";
import { ofType, textOf } from "./agent-session.ts";
import { claudeWorld } from "./claude-world.ts";

it.each([
  [401, "invalid x-api-key", { code: "authentication_failed", message: /invalid x-api-key|API key/i }],
  [429, "slow down", { code: "rate_limited", message: /slow down|rate limit/i }],
  [500, "broken", { code: "api_error", message: /broken|500/i }],
])("an answer %i of the model is told", async (status, message, error) => {
  await using world = await claudeWorld({
    scripts: () => ({ fail: [httpError(status, { message })], hello: [text("Better.")] }),
  });
  const session = await world.session();
  const turn = await session.run("Try [[fail]]");
  expect(turn.ended.outcome).toBe("failed");
  expect(turn.ended.error?.code).toBe(error.code);
  expect(turn.ended.error?.message).toMatch(error.message);
  expect(await session.run("Again [[hello]]")).toMatchObject({
    text: "Better.",
    ended: { outcome: "completed" },
  });
});

it.each([
  ["an error", streamError({ times: 1 })],
  ["a lost connection", disconnect({ times: 1 })],
])("%s in the middle of a text is made good, and the first half is taken back", async (_, fault) => {
  await using world = await claudeWorld({
    scripts: () => ({ cut: [text("Half "), hang(), fault, text("and whole.")] }),
  });
  const session = await world.session();
  const { message } = await session.prompt("Speak [[cut]]");
  await session.event("text.delta");
  world.model.release();
  const turn = await session.turnOf(message);
  expect(turn.ended.outcome).toBe("completed");
  const discarded = ofType(turn.events, "content.discarded").flatMap(({ parts }) => parts);
  const kept = turn.events.filter((event) => !("part" in event && discarded.includes(event.part)));
  expect([textOf(turn.events), textOf(kept)]).toEqual(["Half Half and whole.", "Half and whole."]);
});

it("a connection that is lost for good ends the turn", async () => {
  await using world = await claudeWorld({ scripts: () => ({ cut: [text("Half "), disconnect()] }) });
  const session = await world.session();
  const turn = await session.run("Speak [[cut]]");
  expect(turn.ended).toMatchObject({ outcome: "failed", error: { message: expect.stringMatching(/\w/) } });
});

it("says how to install it", async () => {
  await using world = await claudeWorld({ isInstalled: false, environment: { PATH: "/usr/bin:/bin" } });
  const session = await world.session();
  const { ended } = await session.run("Hello");
  expect(ended.outcome).toBe("failed");
  expect(ended.error).toMatchObject({
    code: "agent_not_installed",
    message: expect.stringContaining("interlingua agents install claude"),
  });
});

it("says which version is too old", async () => {
  const command = ["sh", "-c", "echo '1.0.33 (Claude Code)'"];
  await using world = await claudeWorld({ agents: { claude: { command } } });
  const session = await world.session();
  const { ended } = await session.run("Hello");
  expect(ended.error).toMatchObject({
    code: "agent_version",
    message: expect.stringMatching(/1\.0\.33.*2\.1\.197.*interlingua agents install claude/),
  });
});

it("says how to sign in", async () => {
  await using world = await claudeWorld({ environment: { ANTHROPIC_API_KEY: undefined } });
  const session = await world.session();
  const { ended } = await session.run("Hello");
  expect(ended.outcome).toBe("failed");
  expect(ended.error).toMatchObject({
    code: "agent_not_signed_in",
    message: expect.stringMatching(/auth login.*ANTHROPIC_API_KEY/),
  });
});

it.runIf(process.getuid?.() === 0)("says why root cannot switch the permission checks off", async () => {
  await using world = await claudeWorld({});
  const session = await world.session({ permissionMode: "bypass" });
  const { ended } = await session.run("Hello");
  expect(ended.error?.message).toMatch(/root.*IS_SANDBOX=1/);
});

it("names options and MCP servers it does not take", async () => {
  await using world = await claudeWorld({});
  const session = await world.session({ options: { pace: 1 } });
  expect((await session.run("Hello")).ended.error?.message).toContain('Unrecognized key: "pace"');
  const other = await world.session({ mcpServers: { odd: { foo: 1 } } });
  expect((await other.run("Hello")).ended.error?.message).toContain("MCP servers cannot be used: odd");
});
