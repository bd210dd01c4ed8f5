/** `run` and `chat` without `--agent`, at a terminal and without one, against real daemons. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { misbehavingAcpAgent } from "../../testkit/index.ts";
import { CTRL_D, startAtTerminal } from "../terminal-test-support.ts";
import { run, type Served, serve, stop } from "../test-support.ts";

const directory = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-choose-agent-")));
const daemons: Served[] = [];
/** Nobody listens there. */
const NOWHERE = "http://127.0.0.1:9";

afterEach(async () => {
  for (const daemon of daemons.splice(0)) await stop(daemon);
});
afterAll(() => rmSync(directory, { recursive: true, maxRetries: 10 }));

/** A daemon that finds no agent of this machine, but these. */
async function daemonWith({ agents = [] as string[], args = [] as string[], environment = {} } = {}) {
  const data = mkdtempSync(join(directory, "data-"));
  const project = join(data, "project");
  const other = join(data, "other");
  for (const folder of [project, other]) mkdirSync(folder);
  const agent = misbehavingAcpAgent({});
  const entry = { protocol: "acp", command: [agent.command, ...agent.args] };
  const config = { agents: Object.fromEntries(agents.map((name) => [name, entry])) };
  writeFileSync(join(data, "config.json"), JSON.stringify(config));
  const roots = ["--root", project, "--root", other];
  const daemon = await serve(["--data", data, ...roots, ...args], {
    environment: { PATH: directory, ...environment },
  });
  daemons.push(daemon);
  const atTerminal = (words: readonly string[], cwd = project) =>
    startAtTerminal([...words, "--data", data], { cwd, columns: 200 });
  return {
    atTerminal,
    project,
    other,
    inScript: (words: readonly string[]) => run([...words, "--data", data], { cwd: project }),
    /** The end of `run` at a terminal: its exit code, and what it showed. */
    async typed(text: string, ...flags: string[]) {
      const { code, stdout } = await atTerminal(["run", text, ...flags]).ended;
      return { code, shown: stdout };
    },
  };
}

test("the mock no longer answers at a terminal where a real agent is ready", async () => {
  const { typed, inScript } = await daemonWith({ agents: ["parrot"] });
  const { code, shown } = await typed("text");
  expect({ code, shown }).toEqual({ code: 0, shown: expect.stringContaining("Hello from the agent.") });
  expect(shown).toContain(
    "parrot answers: it is the only agent that is ready. Choose another with --agent.\n",
  );
  // Scripts do as before, whatever was used last.
  expect((await inScript(["run", "scenario:text"])).stderr).toContain(
    "No --agent was named, so mock answers.",
  );
});

test.each(["--json", "--yes", "--deny"])(
  "at a terminal %s means a script: the daemon's default",
  async (flag) => {
    const { typed } = await daemonWith({ agents: ["parrot"] });
    const { code, shown } = await typed("scenario:text", flag);
    expect({ code, shown }).toEqual({
      code: 0,
      shown: expect.stringContaining("No --agent was named, so mock answers."),
    });
  },
);

test("several agents are ready and none was used: the error says how to choose, and no session is made", async () => {
  const { typed, inScript } = await daemonWith({ agents: ["parrot", "crow"] });
  const { code, shown } = await typed("text");
  expect(code).toBe(2);
  expect(shown).toMatch(/Several agents are ready: (parrot, crow|crow, parrot)\. Choose one with --agent;/);
  expect(JSON.parse((await inScript(["sessions", "--json"])).stdout)).toEqual([]);
});

test("one key of a provider no longer makes several agents ready, which are all the model agent", async () => {
  const { typed } = await daemonWith({
    environment: { ANTHROPIC_API_KEY: "none", ANTHROPIC_BASE_URL: NOWHERE },
  });
  const { shown } = await typed("text");
  expect(shown).toContain(
    "model answers: it is the only agent that is ready. Choose another with --agent.\n",
  );
});

test("the agent used last in this directory answers, else the one used last anywhere, in run and in chat", async () => {
  const { atTerminal, inScript, project, other } = await daemonWith({ agents: ["parrot", "crow"] });
  expect((await inScript(["run", "text", "--agent", "crow"])).code).toBe(0);
  expect((await inScript(["run", "text", "--agent", "parrot", "--cwd", other])).code).toBe(0);
  const here = await atTerminal(["run", "text"], project).ended;
  expect(here.stdout).toContain("crow answers: it was used last in this directory. ");
  // Now crow was used last of all.
  const there = atTerminal(["chat"], other);
  await there.sees("parrot answers: it was used last in this directory. ");
  await there.sees("› ");
  there.type(CTRL_D);
  expect((await there.ended).code).toBe(0);
  mkdirSync(join(project, "inside"));
  const inside = await atTerminal(["run", "text"], join(project, "inside")).ended;
  expect(inside.stdout).toMatch(/(parrot|crow) answers: it was used last\. /);
});

test("a configured default wins over the agent used last", async () => {
  const { typed, inScript } = await daemonWith({ agents: ["parrot"], args: ["--agent", "mock"] });
  expect((await inScript(["run", "text", "--agent", "parrot"])).code).toBe(0);
  const { code, shown } = await typed("scenario:text");
  expect({ code, shown }).toEqual({
    code: 0,
    shown: expect.stringContaining("mock answers: it is the daemon's default. "),
  });
});

test("where nothing is ready the mock answers, and a line says what to do", async () => {
  const { typed } = await daemonWith();
  const { code, shown } = await typed("scenario:text");
  expect({ code, shown }).toEqual({
    code: 0,
    shown: expect.stringContaining("mock answers: no other agent is ready, and interlingua agents says"),
  });
});
