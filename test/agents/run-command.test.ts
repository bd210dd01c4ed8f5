/** `interlingua run` with real agents: a turn with an approval, from a prompt at the command line to its exit code. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run } from "../../src/cli/test-support.ts";
import { TOKEN } from "../../src/server/http-client-test-support.ts";
import { text } from "../../src/testkit/scripted-model/index.ts";
import { AGENTS } from "./agents.ts";

describe.each(AGENTS)("$agent.name", ({ world: start, sessions, tools }) => {
  it.each([
    ["--yes", true],
    ["--deny", false],
  ])("changes a file with %s: %s", async (flag, isAllowed) => {
    await using world = await start({
      scripts: (project) => ({ write: [[tools.write(project).call], [text("That was it.")]] }),
    });
    const session = await world.session(sessions.asking);
    const outcome = await run(["run", "Write it [[write]]", "--session", session.id, flag], {
      cwd: world.project,
      environment: { INTERLINGUA_URL: world.url, INTERLINGUA_TOKEN: TOKEN },
    });
    expect(outcome.code).toBe(0);
    // After a refusal OpenCode ends its turn without a word.
    if (isAllowed) expect(outcome.stdout).toContain("That was it.");
    expect(outcome.stderr).toContain(isAllowed ? "+A" : "not allowed");
    expect(existsSync(join(world.project, "a.txt"))).toBe(isAllowed);
  });
});
