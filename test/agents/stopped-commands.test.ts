/** What a stop leaves running, of the agents that have an adapter of their own. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isAlive } from "../../src/process/test-support.ts";
import { text } from "../../src/testkit/scripted-model/index.ts";
import { until } from "../../src/testkit/until.ts";
import { AGENTS } from "./agents.ts";

const COMMAND = "(trap '' TERM; sleep 1000 & echo $! > command.pid; wait)";

describe.each(AGENTS)("$agent.name", ({ world: makeWorld, tools, sessions }) => {
  it("leaves a command running when it is stopped", async () => {
    const scripts = () => ({ run: [[tools.run(COMMAND)], [text("It ran.")]], hello: [text("Hello.")] });
    await using world = await makeWorld({ scripts });
    const session = await world.session(sessions.trusted);
    const { message } = await session.prompt("Run it. [[run]]");
    const file = join(world.project, "command.pid");
    await until(() => existsSync(file) && readFileSync(file, "utf8").endsWith("\n"), 60_000);
    const pid = Number(readFileSync(file, "utf8"));
    await session.call("POST", "/interrupt");
    expect((await session.turnOf(message)).ended.outcome).toBe("interrupted");
    await until(() => !isAlive(pid), 60_000);
    expect((await session.run("Go on. [[hello]]")).text).toContain("Hello.");
  });
});
