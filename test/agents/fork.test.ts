/** A fork of a session goes on with what the agent remembers, and the original stays as it is. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { text } from "../../src/testkit/scripted-model/index.ts";
import { ofType } from "./agent-session.ts";
import { AGENTS } from "./agents.ts";

const SCRIPTS = {
  one: [text("The first answer.")],
  two: [text("The second answer.")],
  three: [text("The third answer.")],
  more: [text("And more.")],
};

describe.each(AGENTS)("$agent.name", ({ world: start, sessions, heard, forkIsTold = "fork" }) => {
  it("a fork remembers what was kept and nothing else, and the original goes on untouched", async () => {
    await using world = await start({ scripts: () => SCRIPTS });
    const session = await world.session(sessions.trusted);
    await session.run("Apples [[one]]");
    await session.run("Pears [[two]]");
    const { message } = await session.prompt("Plums [[three]]");
    await session.turnOf(message);
    const fork = await world.fork(session, { before: message });
    expect(fork.view).toMatchObject({ forkedFrom: { session: session.id, message } });
    const turn = await fork.session.run("Cherries [[more]]");
    expect(turn).toMatchObject({ ended: { outcome: "completed" }, text: "And more." });
    const { input } = heard(world.model);
    for (const kept of ["Apples", "The first answer", "Pears", "The second answer", "Cherries"])
      expect(input).toContain(kept);
    expect(input).not.toContain("Plums");
    expect(input).not.toContain("Account of the conversation");
    expect(ofType(fork.session.events, "notice").map(({ code }) => code)).toContain(forkIsTold);
    // Again after a restart: the copy is a conversation of its own.
    await world.stopDaemon();
    await world.startDaemon();
    for (const one of world.sessions) await one.watch();
    await fork.session.run("Grapes [[more]]");
    expect(heard(world.model).input).toContain("Cherries");
    await session.run("Figs [[more]]");
    const original = heard(world.model).input;
    expect(original).toContain("Plums");
    expect(original).not.toMatch(/Cherries|Grapes/);
  });

  it("a fork works in another directory", async () => {
    await using world = await start({ scripts: () => SCRIPTS });
    const session = await world.session(sessions.trusted);
    await session.run("Apples [[one]]");
    const cwd = join(world.project, "other");
    mkdirSync(cwd);
    const fork = await world.fork(session, { cwd });
    expect(fork.view).toMatchObject({ cwd });
    await session.run("Pears [[two]]");
    expect((await fork.session.run("Cherries [[more]]")).text).toBe("And more.");
    const { input } = heard(world.model);
    expect(input).toContain("The first answer");
    expect(input).not.toContain("Pears");
    expect(ofType(fork.session.events, "notice").map(({ code }) => code)).toContain(forkIsTold);
  });
});
