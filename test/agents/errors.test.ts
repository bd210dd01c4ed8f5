/** What a person reads when the model or the set-up of an agent fails. Every turn ends, and the session can go on. */
import { describe, expect, it } from "vitest";
import { disconnect, hang, httpError, streamError, text } from "../../src/testkit/scripted-model/index.ts";
import { ofType, textOf } from "./agent-session.ts";
import { AGENTS } from "./agents.ts";

describe.each(AGENTS)("$agent.name", ({ world: start, sessions, agent: { name, isBuiltIn }, errors }) => {
  it.each(errors.lasting)("an answer $status of the model is told", async ({ status, said, code, told }) => {
    await using world = await start({
      scripts: () => ({ fail: [httpError(status, { message: said })], hello: [text("Better.")] }),
    });
    const session = await world.session(sessions.trusted);
    const turn = await session.run("Try [[fail]]");
    expect(turn.ended.outcome).toBe("failed");
    expect(turn.ended.error?.code).toBe(code);
    expect(turn.ended.error?.message).toMatch(told);
    expect(await session.run("Again [[hello]]")).toMatchObject({
      text: "Better.",
      ended: { outcome: "completed" },
    });
  });

  it.each([
    ["an error", streamError({ times: 1 })],
    ["a lost connection", disconnect({ times: 1 })],
  ])("%s in the middle of a text is made good, and the first half is taken back", async (_, fault) => {
    await using world = await start({
      scripts: () => ({ cut: [text("Half "), hang(), fault, text("and whole.")] }),
    });
    const session = await world.session(sessions.trusted);
    const { message } = await session.prompt("Speak [[cut]]");
    await session.event("text.delta");
    world.model.release();
    const turn = await session.turnOf(message);
    expect(turn.ended.outcome).toBe("completed");
    const discarded = ofType(turn.events, "content.discarded").flatMap(({ parts }) => parts);
    const kept = turn.events.filter((event) => !("part" in event && discarded.includes(event.part)));
    expect([textOf(turn.events), textOf(kept)]).toEqual(["Half Half and whole.", "Half and whole."]);
    const notices = ofType(turn.events, "notice").map(({ code }) => code);
    if (errors.tellsRetries) expect(notices).toContain("retry");
  });

  it.skipIf(errors.neverGivesUp)("a connection that is lost for good ends the turn", async () => {
    await using world = await start({ scripts: () => ({ cut: [text("Half "), disconnect()] }) });
    const session = await world.session(sessions.trusted);
    const turn = await session.run("Speak [[cut]]");
    expect(turn.ended).toMatchObject({
      outcome: "failed",
      error: { message: expect.stringMatching(/\w/) },
    });
  });

  it.skipIf(isBuiltIn)("says how to install it", async () => {
    await using world = await start({ isInstalled: false, environment: { PATH: "/usr/bin:/bin" } });
    const session = await world.session(sessions.trusted);
    const { ended } = await session.run("Hello");
    expect(ended.outcome).toBe("failed");
    expect(ended.error).toMatchObject({
      code: "agent_not_installed",
      message: expect.stringContaining(`interlingua agents install ${name}`),
    });
    expect(world.model.requests).toEqual([]);
  });

  it("names options and MCP servers it does not take", async () => {
    await using world = await start({});
    const session = await world.session({ ...sessions.trusted, options: { pace: 1 } });
    expect((await session.run("Hello")).ended.error?.message).toContain('Unrecognized key: "pace"');
    const other = await world.session({ ...sessions.trusted, mcpServers: { odd: { foo: 1 } } });
    expect((await other.run("Hello")).ended.error?.message).toContain("MCP servers cannot be used: odd");
  });
});
