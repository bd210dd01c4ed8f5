/** Agents are stopped, changed, put to rest and taken up again. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hang, text } from "../../src/testkit/scripted-model/index.ts";
import { until } from "../../src/testkit/until.ts";
import { leftoverProcesses } from "../crash/leftover-processes.ts";
import { ofType } from "./agent-session.ts";
import { AGENTS } from "./agents.ts";

/** Goes on until it is ended: Claude Code refuses a bare `sleep`. */
const ENDLESS = "while true; do echo x >> ticks.txt; sleep 0.1; done";

describe.each(AGENTS)("$agent.name", ({ world: start, sessions, tools, ...agent }) => {
  it("stops in the middle of a text, and can go on", async () => {
    await using world = await start({
      scripts: () => ({ endless: [text("I begin "), hang()], hello: [text("Hello again.")] }),
    });
    const session = await world.session(sessions.trusted);
    const { message } = await session.prompt("Talk [[endless]]");
    await session.event("text.delta");
    expect((await session.call("POST", "/interrupt")).body).toEqual({ interrupted: true });
    expect(await session.turnOf(message)).toMatchObject({
      ended: { outcome: "interrupted" },
      text: "I begin ",
    });
    expect(await session.run("Now [[hello]]")).toMatchObject({
      ended: { outcome: "completed" },
      text: "Hello again.",
    });
    expect(ofType(session.events, "session.attached")).toHaveLength(1);
    expect(ofType(session.events, "turn.ended")).toHaveLength(2);
  });

  it("stops a command, leaves no child of it, and can go on", async () => {
    await using world = await start({
      scripts: () => ({ loop: [[tools.run(ENDLESS)], [text("?")]], hello: [text("Hello again.")] }),
    });
    const session = await world.session(sessions.trusted);
    const { message } = await session.prompt("Loop [[loop]]");
    await session.event("tool.input");
    const process = String(await session.pid());
    await until(async () => (await leftoverProcesses(world.data)).length > 1);
    await session.call("POST", "/interrupt");
    expect((await session.turnOf(message)).ended.outcome).toBe("interrupted");
    await until(async () => (await leftoverProcesses(world.data)).join() === process);
    if (agent.commandsAreTasks) expect((await session.event("task.ended")).outcome).toBe("stopped");
    expect((await session.run("Now [[hello]]")).text).toBe("Hello again.");
    expect(ofType(session.events, "session.attached")).toHaveLength(1);
  });

  it("leaves no command when the session is closed in the middle of it", async () => {
    await using world = await start({ scripts: () => ({ loop: [[tools.run(ENDLESS)], [text("?")]] }) });
    const session = await world.session(sessions.trusted);
    await session.prompt("Loop [[loop]]");
    await session.event("tool.input");
    // What is shared may be wanted by others; it stays for a while.
    const mayStay = agent.isShared ? [String(await session.pid())] : [];
    await until(async () => (await leftoverProcesses(world.data)).length > 1);
    await session.call("PATCH", "", { status: "closed" });
    if (!agent.isShared) expect(await leftoverProcesses(world.data)).toEqual([]);
    await until(async () => (await leftoverProcesses(world.data)).every((pid) => mayStay.includes(pid)));
  });

  it("takes another model and another mode, seen by the model and by the tools", async () => {
    const [usual, other] = agent.models;
    await using world = await start({
      scripts: (project) => ({
        hello: [text("Hello.")],
        write: [[tools.write(project).call], [text("Written.")]],
      }),
    });
    const session = await world.session({ ...sessions.asking, model: other.name });
    await session.run("Hello [[hello]]");
    expect(agent.heard(world.model).model).toBe(other.isHeardAs);
    await session.call("PATCH", "", { model: usual.name, permissionMode: agent.trustedMode });
    const turn = await session.run("Write [[write]]");
    expect(turn.ended.outcome).toBe("completed");
    expect(agent.heard(world.model).model).toBe(usual.isHeardAs);
    expect(ofType(session.events, "ask.opened")).toEqual([]);
    expect(readFileSync(join(world.project, "a.txt"), "utf8")).toBe("A\n");
    expect(await session.view()).toMatchObject({ model: usual.name, permissionMode: agent.trustedMode });
  });

  it("of changes made at once the last one holds, at the agent and in the log", async () => {
    const [usual, other] = agent.models;
    await using world = await start({ scripts: () => ({ hello: [text("Hello.")] }) });
    const session = await world.session(sessions.asking);
    await session.run("One [[hello]]");
    const wanted = [
      { model: other.name, permissionMode: agent.trustedMode },
      { permissionMode: "default" },
      { model: usual.name },
      { permissionMode: agent.trustedMode },
      { model: other.name, permissionMode: "default" },
    ];
    const answers = await Promise.all(wanted.map((change) => session.call("PATCH", "", change)));
    expect(answers.map(({ status }) => status)).toEqual(wanted.map(() => 200));
    await session.run("Two [[hello]]");
    expect(agent.heard(world.model).model).toBe(other.isHeardAs);
    expect(await session.view()).toMatchObject({ permissionMode: "default" });
    const requested = ofType(session.events, "session.updated").flatMap((event) => event.requested ?? []);
    expect(requested.filter((request) => Object.keys(request).length > 0)).toMatchObject(wanted);
    expect(requested.at(-1)).toEqual({});
  });

  it("runs queued prompts one after the other", async () => {
    await using world = await start({
      scripts: () => ({ slow: [text("First "), hang(), text("done.")], next: [text("Second done.")] }),
    });
    const session = await world.session(sessions.trusted);
    const first = await session.prompt("One [[slow]]");
    await session.event("text.delta");
    const second = await session.prompt("Two [[next]]");
    expect(second.state).toBe("queued");
    world.model.release();
    expect((await session.turnOf(first.message)).text).toBe("First done.");
    expect((await session.turnOf(second.message)).text).toBe("Second done.");
  });

  it("rests when it has nothing to do, and remembers", async () => {
    const [, other] = agent.models;
    await using world = await start({
      limits: { idleDetachMs: 300 },
      scripts: () => ({ hello: [text("Hello.")], recall: [text("I remember.")] }),
    });
    const session = await world.session({ model: other.name, permissionMode: "acceptEdits" });
    await session.run("The word is kestrel [[hello]]");
    expect((await session.event("session.detached")).reason).toBe("idle");
    expect((await session.run("Recall [[recall]]")).text).toBe("I remember.");
    const heard = agent.heard(world.model);
    expect(heard.input).toContain("The word is kestrel [[hello]]");
    expect(heard.input).toContain("Hello.");
    expect(heard.model).toBe(other.isHeardAs);
    const attached = ofType(session.events, "session.attached").at(-1);
    // Not every agent tells its mode.
    expect({ ...(await session.view()), ...attached }).toMatchObject({
      resumed: true,
      permissionMode: "acceptEdits",
    });
  });

  it("works in two sessions at once, each hearing its own", async () => {
    await using world = await start({
      scripts: () => ({
        one: [[tools.run("echo one > one.txt")], [text("One "), hang("one"), text("ends.")]],
        two: [text("Two "), hang("two"), text("ends.")],
      }),
    });
    const [one, two] = await Promise.all([world.session(sessions.trusted), world.session(sessions.trusted)]);
    const [first, second] = await Promise.all([one.prompt("[[one]]"), two.prompt("[[two]]")]);
    await Promise.all([one.event("text.delta"), two.event("text.delta")]);
    expect((await one.pid()) === (await two.pid())).toBe(agent.isShared);
    world.model.release("two");
    expect((await two.turnOf(second.message)).text).toBe("Two ends.");
    await two.call("PATCH", "", { status: "closed" });
    world.model.release("one");
    expect((await one.turnOf(first.message)).text).toBe("One ends.");
    expect(readFileSync(join(world.project, "one.txt"), "utf8")).toBe("one\n");
    expect(ofType(two.events, "tool.start")).toEqual([]);
  });
});
