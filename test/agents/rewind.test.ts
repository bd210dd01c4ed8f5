/** What was taken back is gone from the agent's own memory, and its files stay where they are. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hang, text } from "../../src/testkit/scripted-model/index.ts";
import { ofType } from "./agent-session.ts";
import { AGENTS } from "./agents.ts";

const AUTHOR = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.com"];

describe.each(AGENTS)("$agent.name", ({ world: start, sessions, tools, heard }) => {
  const scripts = (project: string) => ({
    one: [text("The first answer.")],
    work: [[tools.write(project).call], [text("The second answer.")]],
    more: [text("And more.")],
  });

  it("forgets what was taken back, also after a restart, and leaves files alone", async () => {
    await using world = await start({ scripts });
    // Some undo files only in a real repository.
    for (const command of [["init"], [...AUTHOR, "commit", "--allow-empty", "-m", "First"]])
      execFileSync("git", ["-C", world.project, ...command], { stdio: "ignore" });
    const session = await world.session(sessions.trusted);
    await session.run("Apples [[one]]");
    const { message } = await session.prompt("Pears [[work]]");
    await session.turnOf(message);
    const rewound = await session.call("POST", "/rewind", { before: message });
    expect(rewound).toMatchObject({ status: 200, body: { agentForgot: true } });
    // An undo of files that the agent may have of its own is off.
    expect(readFileSync(join(world.project, "a.txt"), "utf8")).toBe("A\n");
    // It is not lost with the daemon.
    await world.stopDaemon();
    await world.startDaemon();
    await session.watch();
    expect((await session.run("Plums [[more]]")).text).toBe("And more.");
    const after = heard(world.model).input;
    for (const kept of ["Apples", "The first answer", "Plums"]) expect(after).toContain(kept);
    expect(after).not.toMatch(/Pears|second answer|Account of the conversation/);
    // It goes on from there.
    await session.run("Figs [[more]]");
    expect(heard(world.model).input).toMatch(/Apples.*Plums.*Figs/s);
    expect(heard(world.model).input).not.toMatch(/Pears|second answer/);
    expect(readFileSync(join(world.project, "a.txt"), "utf8")).toBe("A\n");
    expect(ofType(session.events, "notice").filter(({ level }) => level !== "info")).toEqual([]);
  });

  it("forgets again and again, and all of it", async () => {
    await using world = await start({ scripts });
    const session = await world.session(sessions.trusted);
    const first = await session.prompt("Apples [[one]]");
    await session.turnOf(first.message);
    for (const fruit of ["Pears", "Plums"]) {
      const { message } = await session.prompt(`${fruit} [[more]]`);
      await session.turnOf(message);
      const { body } = await session.call("POST", "/rewind", { before: message });
      expect(body).toMatchObject({ agentForgot: true });
    }
    await session.run("Figs [[more]]");
    expect(heard(world.model).input).toMatch(/Apples.*Figs/s);
    expect(heard(world.model).input).not.toMatch(/Pears|Plums/);
    const all = await session.call("POST", "/rewind", { before: first.message });
    expect(all.body).toMatchObject({ agentForgot: true });
    await session.run("Grapes [[more]]");
    expect(heard(world.model).input).toContain("Grapes");
    expect(heard(world.model).input).not.toMatch(/Apples|Figs|Account of the conversation/);
  });

  it("goes on from a turn that was stopped", async () => {
    await using world = await start({
      scripts: (project) => ({ ...scripts(project), endless: [text("I begin "), hang()] }),
    });
    const session = await world.session(sessions.trusted);
    const stopped = await session.prompt("Apples [[endless]]");
    await session.event("text.delta");
    await session.call("POST", "/interrupt");
    expect((await session.turnOf(stopped.message)).ended.outcome).toBe("interrupted");
    const { message } = await session.prompt("Pears [[more]]");
    await session.turnOf(message);
    const fork = await world.fork(session, { before: message });
    await fork.session.run("Plums [[more]]");
    expect(heard(world.model).input).toMatch(/Apples.*Plums/s);
    expect(heard(world.model).input).not.toMatch(/Pears|Account of the conversation/);
    const { body } = await session.call("POST", "/rewind", { before: message });
    expect(body).toMatchObject({ agentForgot: true });
    await session.run("Figs [[more]]");
    expect(heard(world.model).input).toMatch(/Apples.*Figs/s);
    expect(heard(world.model).input).not.toMatch(/Pears|Plums|Account of the conversation/);
  });

  it("a fork of a fork remembers what was kept, and so does one that is rewound before its first prompt", async () => {
    await using world = await start({ scripts });
    const session = await world.session(sessions.trusted);
    await session.run("Apples [[one]]");
    const second = await session.prompt("Pears [[more]]");
    await session.turnOf(second.message);
    const fork = await world.fork(session, {});
    const forkOfFork = await world.fork(fork.session, { before: second.message });
    await forkOfFork.session.run("Plums [[more]]");
    expect(heard(world.model).input).toMatch(/Apples.*first answer.*Plums/s);
    expect(heard(world.model).input).not.toMatch(/Pears|Account of the conversation/);
    const { body } = await fork.session.call("POST", "/rewind", { before: second.message });
    expect(body).toMatchObject({ agentForgot: true });
    await fork.session.run("Figs [[more]]");
    expect(heard(world.model).input).toMatch(/Apples.*first answer.*Figs/s);
    expect(heard(world.model).input).not.toMatch(/Pears|Plums|Account of the conversation/);
  });
});
