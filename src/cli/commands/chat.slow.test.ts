/** `chat` at real pseudo terminals, against a real daemon. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Interlingua, type SessionEvent } from "../../sdk/index.ts";
import { readDaemonInfo } from "../../store/sqlite/data-directory-lock.ts";
import { eventually } from "../../testkit/eventually.ts";
import { leave, PERMISSION, projectWithDaemon, QUESTION, TURN_ENDED } from "../project-test-support.ts";
import { CTRL_C, CTRL_D, startAtTerminal } from "../terminal-test-support.ts";
import { run, serve, stop } from "../test-support.ts";

const here = projectWithDaemon();
const { directory, project, data, at, chat, prompts, answers } = here;

test("one prompt after the other goes to one session, and Ctrl-D says how to come back", async () => {
  const terminal = await chat("talk");
  terminal.type("scenario:echo one\r");
  await terminal.sees(TURN_ENDED);
  terminal.type("scenario:recall\r");
  await terminal.sees("scenario:echo one");
  await terminal.sees(TURN_ENDED);
  expect(await leave(terminal)).toBe(0);
  expect(terminal.shown()).toMatch(/interlingua join --data \S+\s+talk/);
});

test("an ask is answered at the prompt, and what was half typed comes back", async () => {
  const terminal = await chat("asking");
  // In one go: what comes after the ask would be its answer.
  terminal.type("scenario:approve\rscenario:echo later");
  await terminal.sees("3) Deny");
  await terminal.sees("> ");
  terminal.type("nonsense\r");
  await terminal.sees("Give a number from 1 to 3");
  terminal.type("n use another one\r");
  await terminal.sees("not allowed");
  await terminal.sees("› scenario:echo later");
  expect(await answers("asking")).toEqual([{ option: "deny", message: "use another one" }]);
  terminal.type("\r");
  await terminal.sees("scenario:echo later");
  await terminal.sees(TURN_ENDED);
  expect(await leave(terminal)).toBe(0);
});

test("leaving while a prompt is on its way is no failure, and it is said all the same", async () => {
  const terminal = await chat("hasty");
  terminal.type("scenario:long\r");
  terminal.type(CTRL_D);
  expect((await terminal.ended).code).toBe(0);
  expect(terminal.shown()).toMatch(/Come back with: interlingua join --data \S+\s+hasty/);
  await eventually("its turn", async () => (await prompts("hasty")).length === 1);
});

test("what is typed while a turn runs waits for its end, and says so", async () => {
  const terminal = await chat("busy");
  terminal.type("scenario:hang\r");
  await terminal.sees("Let me think");
  terminal.type("scenario:echo next\r");
  await terminal.sees("Waits until the turn has ended");
  terminal.type("/queue\r");
  await terminal.sees("1. scenario:echo next");
  terminal.type(CTRL_C);
  await terminal.sees("Stopping");
  await terminal.sees("What waits is held.");
  await terminal.sees("The turn ended as interrupted.");
  terminal.type("/continue\r");
  await terminal.sees("› scenario:echo next");
  await terminal.sees(TURN_ENDED);
  expect(await leave(terminal)).toBe(0);
});

test("a second Ctrl-C while the turn stops leaves it, with 130", async () => {
  const terminal = await chat("deaf");
  terminal.type("scenario:hang-deaf\r");
  await terminal.sees("I can hear nothing");
  terminal.type(CTRL_C);
  await terminal.sees("Stopping");
  terminal.type(CTRL_C);
  expect((await terminal.ended).code).toBe(130);
  expect(terminal.shown()).toMatch(
    /The turn goes on without you\.\nCome back with: interlingua join --data \S+\s+deaf/,
  );
});

test("Ctrl-C where nothing runs forgets what was typed, and does not leave", async () => {
  const terminal = await chat("calm");
  terminal.type("scenario:crash");
  await terminal.sees("scenario:crash");
  terminal.type(CTRL_C);
  terminal.type("scenario:echo alive\r");
  await terminal.sees(TURN_ENDED);
  terminal.type(CTRL_C);
  await terminal.sees("Ctrl-C again leaves");
  terminal.type("/exit\r");
  expect((await terminal.ended).code).toBe(0);
  expect(await prompts("calm")).toEqual([[expect.objectContaining({ text: "scenario:echo alive" })]]);
});

describe("at 80 columns", () => {
  test("no word of an answer is broken while it streams", async () => {
    const terminal = await chat("wrapped");
    terminal.type("scenario:long\r");
    await terminal.sees(TURN_ENDED);
    expect(await leave(terminal)).toBe(0);
    const lines = terminal
      .shown()
      .split("\n")
      .filter((line) => /^word-\d/.test(line));
    expect(lines.join(" ").match(/word-\d+/g)).toHaveLength(200);
    for (const line of lines) expect(line).toMatch(/^(word-\d+ ?)+$/);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test("no word of the help is broken", async () => {
    const terminal = at(["run", "--help"]);
    await terminal.ended;
    const lines = terminal.shown().split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(terminal.shown()).toMatch(/its token comes\s+from\s+INTERLINGUA_TOKEN/);
  });
});

test("a change that was asked for is not printed a second time when it is made", async () => {
  const terminal = await chat("once");
  terminal.type("Please note this\r");
  await terminal.sees(PERMISSION);
  terminal.type("y\r");
  await terminal.sees("interlingua-demo.md (created)");
  await terminal.sees(TURN_ENDED);
  expect(await leave(terminal)).toBe(0);
  expect(terminal.shown().match(/\+# Notes of the mock agent/g)).toHaveLength(1);
});

test("an agent that takes long to start is said to start", async () => {
  const own = join(directory, "slow");
  mkdirSync(own);
  const go = join(directory, "go");
  const command = [
    "sh",
    "-c",
    `while [ ! -e '${go}' ]; do sleep 0.1; done; echo first >&2; echo last >&2; exit 3`,
  ];
  writeFileSync(join(own, "config.json"), JSON.stringify({ agents: { slow: { protocol: "acp", command } } }));
  const served = await serve(["--data", own, "--root", project]);
  const slow = (...args: string[]) =>
    startAtTerminal([...args, "--agent", "slow", "--data", own], { cwd: project });
  const running = slow("run", "hi");
  const talking = slow("chat");
  await talking.sees("› ");
  talking.type("hi\r");
  await running.sees("slow starts…");
  await talking.sees("slow starts…");
  writeFileSync(go, "");
  expect((await running.ended).code).toBe(1);
  // There is no conversation to go on with.
  expect(running.shown()).not.toContain("Go on with");
  expect(await leave(talking)).toBe(0);
  const piped = await run(["run", "hi", "--agent", "slow", "--data", own], { cwd: project });
  expect(piped.stderr).not.toMatch(/starts…|Go on with/);
  await stop(served);
});

test("what an agent that crashed last said stands below, and how it goes on", async () => {
  const terminal = await chat("crashed");
  terminal.type("scenario:crash\r");
  await terminal.sees("It last said:\nmock: the flux capacitor is on fire\nmock: fatal, giving up\n");
  await terminal.sees("(The next prompt starts the agent again.)");
  terminal.type("scenario:text\r");
  await terminal.sees("Hello from the mock agent");
  await terminal.sees(TURN_ENDED);
  expect(await leave(terminal)).toBe(0);
});

describe("a session that is closed", () => {
  test("ends a chat with a line of its own", async () => {
    const terminal = await chat("closing");
    await (await here.client.sessions.get("closing")).close();
    await terminal.sees("The session was closed.");
    expect((await terminal.ended).code).toBe(0);
    // The line to type at is erased, and not drawn again.
    const [before = ""] = terminal.written().split("The session was closed.");
    expect(before.lastIndexOf("\u001b[J")).toBeGreaterThan(before.lastIndexOf("›"));
  });

  test("cannot be joined, and no daemon is started for it", async () => {
    const own = join(directory, "closed");
    const before = await serve(["--data", own, "--root", project]);
    const other = await Interlingua.connect({ baseUrl: before.url, token: before.token });
    await (await other.sessions.create({ agent: "mock", cwd: project, id: "over" })).close();
    const refused = { code: 1, stderr: expect.stringContaining("interlingua export over") };
    expect(await run(["join", "over", "--data", own])).toMatchObject(refused);
    await stop(before);
    expect(await run(["join", "over", "--data", own])).toMatchObject(refused);
    expect(readDaemonInfo(own)).toBeUndefined();
  });
});

test("--json prints events on stdout, and everything else elsewhere", async () => {
  const stdout = join(directory, "events.jsonl");
  const terminal = await chat("json", { args: ["--json"], stdout });
  terminal.type("scenario:question\r");
  await terminal.sees(QUESTION);
  terminal.type("2\r");
  await eventually("the end", () => readFileSync(stdout, "utf8").includes("turn.ended"));
  expect(await leave(terminal)).toBe(0);
  const lines = readFileSync(stdout, "utf8").trim().split("\n");
  const types = lines.map((line) => (JSON.parse(line) as SessionEvent).type);
  expect(types).toContain("prompt.accepted");
  expect(types.at(-1)).toBe("turn.ended");
});

test("with NO_COLOR nothing is coloured", async () => {
  const terminal = await chat("plain", { environment: { NO_COLOR: "1" } });
  terminal.type("scenario:approve\r");
  await terminal.sees(PERMISSION);
  terminal.type("y\r");
  await terminal.sees(TURN_ENDED);
  expect(await leave(terminal)).toBe(0);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this is how colours are written.
  expect(terminal.written()).not.toMatch(/\u001b\[\d+(;\d+)*m/);
});

test("a daemon that comes back on another port is found again", async () => {
  const own = join(directory, "restarted");
  const before = await serve(["--data", own, "--root", project]);
  const terminal = startAtTerminal(["chat", "--agent", "mock", "--data", own], { cwd: project });
  await terminal.sees("› ");
  terminal.type("scenario:hang\r");
  await terminal.sees("Let me think");
  before.child.kill("SIGKILL");
  await before.ended;
  const after = await serve(["--data", own, "--root", project]);
  await terminal.sees("Trying again.)");
  await terminal.sees("(Connected again.)");
  await terminal.sees(TURN_ENDED);
  terminal.type("scenario:echo still here\r");
  await terminal.sees(TURN_ENDED);
  expect(await leave(terminal)).toBe(0);
  await stop(after);
});

describe("without a terminal", () => {
  function piped(input: string, ...args: string[]) {
    return run([...args, "--data", data], { cwd: project, input });
  }

  test("each line is a prompt", async () => {
    const lines = "scenario:echo one\n\nscenario:echo two\\\nthree\n";
    expect(await piped(lines, "chat", "--agent", "mock", "--session", "piped")).toMatchObject({
      code: 0,
      stdout: "scenario:echo one\nscenario:echo two\nthree\n",
    });
    expect(await piped("scenario:recall", "join", "piped")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("scenario:echo one"),
    });
  });

  test("a last line that ends with a backslash is not lost", async () => {
    const lines = "scenario:echo one\nscenario:echo two\\\n";
    expect(await piped(lines, "chat", "--agent", "mock", "--session", "piped-rest")).toMatchObject({
      code: 0,
      stdout: "scenario:echo one\nscenario:echo two\n",
    });
  });

  test("it ends with the first turn that does not complete", async () => {
    const lines = "scenario:approve\nscenario:text\n";
    expect(await piped(lines, "chat", "--agent", "mock", "--session", "stuck")).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/asks reply (--data \S+ )?stuck/),
    });
    expect(await prompts("stuck")).toHaveLength(1);
  });
});
