/** What a person reads when Claude Code cannot be used as it is set up. */
import { expect, it } from "vitest";
import { streamError, text, usage } from "../../src/testkit/scripted-model/index.ts";
import { claudeWorld } from "./claude-world.ts";

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

it("counts what was used once when the model was overloaded in the middle and is asked again", async () => {
  await using world = await claudeWorld({
    scripts: () => ({
      cut: [usage({ input: 40, output: 9 }), text("Half "), streamError({ times: 1 }), text("and whole.")],
    }),
  });
  const session = await world.session();
  const turn = await session.run("Speak [[cut]]");
  expect(turn.ended).toMatchObject({ outcome: "completed", usage: { input: 40, output: 9 } });
});

it.runIf(process.getuid?.() === 0)("says why root cannot switch the permission checks off", async () => {
  await using world = await claudeWorld({});
  const session = await world.session({ permissionMode: "bypass" });
  const { ended } = await session.run("Hello");
  expect(ended.error?.message).toMatch(/root.*IS_SANDBOX=1/);
});
