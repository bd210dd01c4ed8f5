/** What a person reads when the model or the set-up fails. Every turn ends, and the session can go on. */
import { expect, it } from "vitest";
import { disconnect, hang, httpError, streamError, text } from "../../src/testkit/scripted-model/index.ts";
import { ofType, textOf } from "./agent-session.ts";
import { conversationRequests, openCodeSession, openCodeWorld } from "./opencode-world.ts";

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

it.each([
  ["an error", streamError({ times: 1 })],
  ["a lost connection", disconnect({ times: 1 })],
])("%s in the middle of a text is made good, and the first half is taken back", async (_, fault) => {
  await using world = await openCodeWorld({
    scripts: () => ({ cut: [text("Half "), hang(), fault, text("and whole.")] }),
  });
  const session = await openCodeSession(world);
  const { message } = await session.prompt("Speak [[cut]]");
  await session.event("text.delta");
  world.model.release();
  const turn = await session.turnOf(message);
  expect(turn.ended.outcome).toBe("completed");
  const discarded = ofType(turn.events, "content.discarded").flatMap(({ parts }) => parts);
  const kept = turn.events.filter((event) => !("part" in event && discarded.includes(event.part)));
  expect([textOf(turn.events), textOf(kept)]).toEqual(["Half Half and whole.", "Half and whole."]);
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

it("says how to install it", async () => {
  await using world = await openCodeWorld({ isInstalled: false, environment: { PATH: "/usr/bin:/bin" } });
  const session = await openCodeSession(world);
  const { ended } = await session.run("Hello");
  expect(ended.error).toMatchObject({
    code: "agent_not_installed",
    message: expect.stringContaining("interlingua agents install opencode"),
  });
  expect(conversationRequests(world.model)).toEqual([]);
});
