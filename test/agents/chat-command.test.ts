/** `interlingua chat` with real agents: two prompts and an approval, typed at a pseudo terminal. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CTRL_D, startAtTerminal } from "../../src/cli/terminal-test-support.ts";
import { TOKEN } from "../../src/server/http-client-test-support.ts";
import { text } from "../../src/testkit/scripted-model/index.ts";
import { AGENTS } from "./agents.ts";

describe.each(AGENTS)("$agent.name", ({ world: start, sessions, tools }) => {
  it("answers two prompts in one chat, and changes a file once it is allowed", async () => {
    await using world = await start({
      scripts: (project) => ({
        hello: [[text("Good morning.")]],
        write: [[tools.write(project).call], [text("That was it.")]],
      }),
    });
    const session = await world.session(sessions.asking);
    const terminal = startAtTerminal(["chat", "--session", session.id], {
      cwd: world.project,
      patienceMs: 60_000,
      environment: { INTERLINGUA_URL: world.url, INTERLINGUA_TOKEN: TOKEN },
    });
    await terminal.sees("› ");
    terminal.type("Say hello [[hello]]\r");
    await terminal.sees("Good morning.");
    await terminal.sees("› ");
    terminal.type("/mode\r");
    await terminal.sees("build");
    await terminal.sees("plan");
    await terminal.sees("› ");
    terminal.type("/model\r");
    await terminal.sees("* ");
    await terminal.sees("› ");
    terminal.type("Write it [[write]]\r");
    await terminal.sees("\n> ");
    expect(existsSync(join(world.project, "a.txt"))).toBe(false);
    terminal.type("y\r");
    await terminal.sees("That was it.");
    await terminal.sees("› ");
    terminal.type(CTRL_D);
    expect((await terminal.ended).code).toBe(0);
    expect(existsSync(join(world.project, "a.txt"))).toBe(true);
  });
});
