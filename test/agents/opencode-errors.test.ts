/** What a person reads of errors that only OpenCode makes, or makes good in its own way. */
import { expect, it } from "vitest";
import { httpError, text } from "../../src/testkit/scripted-model/index.ts";
import { ofType } from "./agent-session.ts";
import { openCodeSession, openCodeWorld } from "./opencode-world.ts";

it("tells an error of the model once, and what it tries again", async () => {
  await using world = await openCodeWorld({
    scripts: () => ({
      fail: [httpError(401, { message: "invalid x-api-key" })],
      busy: [httpError(429, { message: "slow down", retryAfter: 1, times: 1 }), text("Better.")],
    }),
  });
  const session = await openCodeSession(world);
  const failed = await session.run("Try [[fail]]");
  expect(failed.ended).toMatchObject({
    outcome: "failed",
    error: { message: expect.stringContaining("x-api-key") },
  });
  const turn = await session.run("Again [[busy]]");
  expect(turn).toMatchObject({ text: "Better.", ended: { outcome: "completed" } });
  expect(ofType(turn.events, "notice").map(({ code }) => code)).toEqual(["retry"]);
});

it("completes the turn in which the conversation became too long and was compacted", async () => {
  const tooLong = httpError(400, { message: "prompt is too long: 210000 tokens > 200000 maximum", times: 1 });
  await using world = await openCodeWorld({
    scripts: () => ({ hello: [text("Hello.")], full: [tooLong, text("Here I go on.")] }),
  });
  const session = await openCodeSession(world);
  await session.run("Hello [[hello]]");
  const turn = await session.run("More [[full]]");
  expect(ofType(turn.events, "compaction.ended")).toHaveLength(1);
  expect(turn.ended).toMatchObject({ outcome: "completed" });
  expect(turn.ended.error).toBeUndefined();
  expect(turn.text).toContain("Here I go on.");
  expect((await session.view()).status).toBe("idle");
});

it("is not used with a model that nobody chose, or that it does not have", async () => {
  await using world = await openCodeWorld({
    scripts: () => ({ hello: [text("Hello.")] }),
    environment: { OPENCODE_CONFIG_CONTENT: "{}" },
  });
  const nobody = await world.session();
  const { ended } = await nobody.run("Hello [[hello]]");
  expect(ended).toMatchObject({ outcome: "failed", error: { code: "agent_failed" } });
  expect(ended.error?.message).toContain("no model was chosen");

  const strange = await world.session({ model: "scripted/huge" });
  const { ended: refused } = await strange.run("Hello [[hello]]");
  expect(refused.error?.message).toContain('does not offer the model "scripted/huge"');
  expect(world.model.requests).toEqual([]);
});
