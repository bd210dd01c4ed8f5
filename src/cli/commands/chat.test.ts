/** `chat` and `join` at real pseudo terminals, against a real daemon. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Interlingua, type Session, type SessionEvent } from "../../sdk/index.ts";
import { readDaemonInfo } from "../../store/sqlite/data-directory-lock.ts";
import {
  ARROW_UP,
  type AtTerminal,
  CTRL_C,
  CTRL_D,
  CTRL_R,
  startAtTerminal,
  type TerminalOptions,
} from "../terminal-test-support.ts";
import { eventually, run, type Served, serve, stop } from "../test-support.ts";

let directory: string;
let project: string;
let data: string;
let daemon: Served;
let client: Interlingua;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "interlingua-chat-"));
  project = join(directory, "project");
  data = join(directory, "data");
  mkdirSync(project);
  writeFileSync(join(project, "notes.md"), "# Notes\n");
  daemon = await serve(["--data", data, "--root", project]);
  client = await Interlingua.connect({ baseUrl: daemon.url, token: daemon.token });
});

afterAll(async () => {
  await stop(daemon);
  rmSync(directory, { recursive: true });
});

function at(args: readonly string[], options: TerminalOptions = {}): AtTerminal {
  return startAtTerminal([...args, "--data", data], { cwd: project, ...options });
}

/** A chat with the mock, ready to be typed to. */
async function chat(
  session: string,
  options: TerminalOptions & { args?: string[] } = {},
): Promise<AtTerminal> {
  const terminal = at(["chat", "--agent", "mock", "--session", session, ...(options.args ?? [])], options);
  await terminal.sees("› ");
  return terminal;
}

async function leave(terminal: AtTerminal): Promise<number | null> {
  terminal.type(CTRL_D);
  return (await terminal.ended).code;
}

async function prompts(session: string) {
  const { messages } = await (await client.sessions.get(session)).messages();
  return messages.filter(({ role }) => role === "user").map(({ content }) => content);
}

/** How the asks of its only turn were answered. */
async function answers(session: string) {
  const found: { option?: string; message?: string }[] = [];
  const ended = new AbortController();
  for await (const event of (await client.sessions.get(session)).events({ signal: ended.signal })) {
    if (event.type === "ask.answered") found.push({ option: event.option, message: event.message });
    if (event.type === "turn.ended") ended.abort();
  }
  return found;
}

test("one prompt after the other goes to one session, and Ctrl-D says how to come back", async () => {
  const terminal = await chat("talk");
  terminal.type("scenario:echo one\r");
  await terminal.sees("mock-large ·");
  terminal.type("scenario:recall\r");
  await terminal.sees("scenario:echo one");
  await terminal.sees("mock-large ·");
  expect(await leave(terminal)).toBe(0);
  expect(terminal.shown()).toContain("interlingua join talk");
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
  await terminal.sees("mock-large ·");
  expect(await leave(terminal)).toBe(0);
});

test("leaving while a prompt is on its way is no failure, and it is said all the same", async () => {
  const terminal = await chat("hasty");
  terminal.type("scenario:long\r");
  terminal.type(CTRL_D);
  expect((await terminal.ended).code).toBe(0);
  expect(terminal.shown()).toContain("Come back with: interlingua join hasty");
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
  await terminal.sees("› scenario:echo next");
  await terminal.sees("mock-large ·");
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
  expect(terminal.shown()).toContain("The turn goes on without you.\nCome back with: interlingua join deaf");
});

test("Ctrl-C where nothing runs forgets what was typed, and does not leave", async () => {
  const terminal = await chat("calm");
  terminal.type("scenario:crash");
  await terminal.sees("scenario:crash");
  terminal.type(CTRL_C);
  terminal.type("scenario:echo alive\r");
  await terminal.sees("mock-large ·");
  terminal.type(CTRL_C);
  await terminal.sees("Ctrl-C again leaves");
  terminal.type("/exit\r");
  expect((await terminal.ended).code).toBe(0);
  expect(await prompts("calm")).toEqual([[expect.objectContaining({ text: "scenario:echo alive" })]]);
});

test("pasted lines, and lines that end with a backslash, are one prompt", async () => {
  const terminal = await chat("lines");
  terminal.type("\u001b[200~scenario:echo one\rtwo\r\u001b[201~three\\\rfour\r");
  await terminal.sees("mock-large ·");
  expect(await leave(terminal)).toBe(0);
  expect(await prompts("lines")).toEqual([
    [expect.objectContaining({ text: "scenario:echo one\ntwo\nthree\nfour" })],
  ]);
});

test("Tab completes commands, their arguments and files, which go along", async () => {
  const terminal = await chat("tabs");
  terminal.type("scenario:echo @no");
  terminal.type("\t");
  await terminal.sees("@notes.md");
  terminal.type("\r");
  await terminal.sees("mock-large ·");
  await terminal.sees("› ");
  terminal.type("/comp");
  // The agent's own command is known soon after it runs.
  await eventually("the agent's command", () => {
    terminal.type("\t");
    return terminal.shown().includes("/compact");
  });
  terminal.type(CTRL_C);
  terminal.type("/model mock-s");
  await terminal.sees("/model mock-s");
  terminal.type("\t");
  await terminal.sees("mall");
  terminal.type("\r");
  await terminal.sees("The model is mock-small now.");
  expect(await leave(terminal)).toBe(0);
  expect(await prompts("tabs")).toEqual([
    [expect.objectContaining({ type: "text" }), expect.objectContaining({ path: join(project, "notes.md") })],
  ]);
});

describe("commands with a slash", () => {
  test("change the session, tell about it, and are not given to the agent", async () => {
    const terminal = await chat("commands");
    terminal.type("/rename Three words\r");
    await terminal.sees("The title is Three words now.");
    terminal.type("/help\r");
    await terminal.sees("/interrupt");
    terminal.type("/agent\r");
    await terminal.sees(project);
    terminal.type("/sessions\r");
    await terminal.sees("Three words");
    terminal.type("/interrupt\r");
    await terminal.sees("Nothing runs.");
    expect(await leave(terminal)).toBe(0);
    expect(await prompts("commands")).toEqual([]);
  });

  test("of the agent are passed on, and one that nobody has is not", async () => {
    const terminal = await chat("theirs");
    terminal.type("//help\r");
    await terminal.sees("scenario:echo-split");
    await terminal.sees("mock-large ·");
    terminal.type("/settings\r");
    await terminal.sees("effort medium");
    terminal.type("/settings effort high\r");
    await terminal.sees("effort is high now");
    terminal.type("/compct\r");
    await terminal.sees("There is no /compct");
    terminal.type("/compact\r");
    await terminal.sees("mock-large ·");
    expect(await leave(terminal)).toBe(0);
    expect(await prompts("theirs")).toHaveLength(2);
  });
});

test("what was typed is there again in the next chat, for its owner only, and answers are not", async () => {
  const first = await chat("history");
  first.type("scenario:question\r");
  await first.sees("own words.\n> ");
  first.type("Violet\r");
  await first.sees("You chose: Violet");
  await first.sees("mock-large ·");
  expect(await leave(first)).toBe(0);
  const second = await chat("history-again");
  second.type(ARROW_UP);
  await second.sees("scenario:question");
  second.type(CTRL_C);
  expect(await leave(second)).toBe(0);
  const file = join(data, "chat-history");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "utf8")).not.toContain("Violet");
});

test("a prompt of several lines comes back whole, and not into the answer to an ask", async () => {
  const first = await chat("several-lines");
  first.type("scenario:approve one\\\rtwo\r");
  await first.sees("3) Deny\n> ");
  first.type(`${ARROW_UP}no, use pnpm\r`);
  await first.sees("✗ Run npm test: not allowed");
  await first.sees("mock-large ·");
  expect(await leave(first)).toBe(0);
  const second = await chat("several-lines-again");
  second.type(ARROW_UP);
  await second.sees("› scenario:approve one\n| two");
  second.type(" three\r");
  await second.sees("3) Deny\n> ");
  second.type("y\r");
  await second.sees("mock-large ·");
  expect(await leave(second)).toBe(0);
  expect(await prompts("several-lines-again")).toEqual([
    [expect.objectContaining({ text: "scenario:approve one\ntwo three" })],
  ]);
  expect(await answers("several-lines")).toEqual([{ option: "deny", message: "use pnpm" }]);
});

test("Ctrl-R finds an earlier prompt by a word in it", async () => {
  const terminal = await chat("searched");
  for (const word of ["apricot", "banana"]) {
    terminal.type(`scenario:echo ${word}\r`);
    await terminal.sees("mock-large ·");
  }
  terminal.type(CTRL_R);
  terminal.type("apri");
  await terminal.sees("(search: apri) scenario:echo apricot");
  terminal.type("\r");
  await terminal.sees("mock-large ·");
  terminal.type(CTRL_R);
  terminal.type("zzz");
  await terminal.sees("(not found: zzz)");
  terminal.type(CTRL_C);
  expect(await leave(terminal)).toBe(0);
  expect(await prompts("searched")).toHaveLength(3);
});

describe("while an ask is open", () => {
  test("commands work, and it is shown again", async () => {
    const terminal = await chat("ask-commands");
    terminal.type("scenario:approve\r");
    await terminal.sees("3) Deny\n> ");
    terminal.type("/help\r");
    await terminal.sees("/interrupt");
    await terminal.sees("? Run npm test");
    await terminal.sees("3) Deny\n> ");
    terminal.type("/queue\r");
    await terminal.sees("Nothing waits.");
    await terminal.sees("3) Deny\n> ");
    terminal.type("1\r");
    await terminal.sees("passed-30");
    await terminal.sees("mock-large ·");
    expect(await leave(terminal)).toBe(0);
    expect(await answers("ask-commands")).toEqual([{ option: "allow" }]);
  });

  test("/stop stops the turn, and it goes away", async () => {
    const terminal = await chat("ask-stopped");
    terminal.type("scenario:approve\r");
    await terminal.sees("3) Deny\n> ");
    terminal.type("/stop\r");
    await terminal.sees("The turn ended as interrupted.");
    expect(await leave(terminal)).toBe(0);
    expect(terminal.shown().match(/3\) Deny/g)).toHaveLength(1);
  });

  test("/exit leaves it open", async () => {
    const terminal = await chat("ask-left");
    terminal.type("scenario:question\r");
    await terminal.sees("own words.\n> ");
    terminal.type("/exit\r");
    expect((await terminal.ended).code).toBe(0);
    expect(await (await client.sessions.get("ask-left")).asks()).toHaveLength(1);
  });
});

describe("at 80 columns", () => {
  test("no word of an answer is broken while it streams", async () => {
    const terminal = await chat("wrapped");
    terminal.type("scenario:long\r");
    await terminal.sees("mock-large ·");
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
    expect(terminal.shown()).toContain("its token comes from\n                    INTERLINGUA_TOKEN");
  });
});

test("a change that was asked for is not printed a second time when it is made", async () => {
  const terminal = await chat("once");
  terminal.type("Please note this\r");
  await terminal.sees("3) Deny\n> ");
  terminal.type("y\r");
  await terminal.sees("interlingua-demo.md (created)");
  await terminal.sees("mock-large ·");
  expect(await leave(terminal)).toBe(0);
  expect(terminal.shown().match(/\+# Notes of the mock agent/g)).toHaveLength(1);
});

test("slips are said: a file that is not there, a model that the agent does not name, /steer where nothing runs", async () => {
  const terminal = await chat("slips");
  terminal.type("/steer scenario:echo see @nope.md\r");
  await terminal.sees("(Nothing runs, so this begins a turn.)");
  await terminal.sees("(There is no file nope.md in");
  await terminal.sees("mock-large ·");
  terminal.type("/model nope\r");
  await terminal.sees("mock has not named it: it knows mock-large, mock-small.");
  terminal.type("/mode\r");
  await terminal.sees("* build  Reads");
  await terminal.sees("  plan   Proposes");
  terminal.type(CTRL_C);
  await terminal.sees("Ctrl-C again leaves");
  terminal.type(CTRL_C);
  expect((await terminal.ended).code).toBe(0);
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
  await running.sees("Go on with: interlingua join ses_");
  expect((await running.ended).code).toBe(1);
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
  await terminal.sees("mock-large ·");
  expect(await leave(terminal)).toBe(0);
});

describe("a session that is closed", () => {
  test("ends a chat with a line of its own", async () => {
    const terminal = await chat("closing");
    await (await client.sessions.get("closing")).close();
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

test("several terminals see the same, and an ask answered in one is gone in the others", async () => {
  const first = await chat("shared");
  first.type("scenario:approve\r");
  await first.sees("3) Deny\n> ");
  const second = at(["join", "shared"], { columns: 200, cwd: directory });
  await second.sees("› scenario:approve");
  await second.sees("3) Deny\n> ");
  second.type("1 and be quick\r");
  await first.sees('Run npm test: Allow ("and be quick"), answered by owner (cli)');
  await second.sees("mock-large ·");
  await first.sees("mock-large ·");
  second.type("scenario:echo from the second\r");
  await first.sees("› scenario:echo from the second");
  await first.sees("mock-large ·");
  expect(await leave(first)).toBe(0);
  expect(await leave(second)).toBe(0);
});

describe("joining a running turn that waits for an answer", () => {
  async function waiting(id: string): Promise<Session> {
    const session = await client.sessions.create({ id, agent: "mock", cwd: project });
    for await (const event of session.prompt("scenario:approve")) if (event.type === "ask.opened") break;
    return session;
  }

  test("shows the ask after another prompt was put into the turn, and can stop it", async () => {
    const session = await waiting("steered");
    expect(await session.prompt("scenario:echo left", { whenBusy: "steer" }).accepted).toMatchObject({
      state: "steered",
    });
    const terminal = at(["join", "steered"]);
    await terminal.sees("› scenario:approve");
    await terminal.sees("› scenario:echo left");
    await terminal.sees("3) Deny\n> ");
    terminal.type(CTRL_C);
    await terminal.sees("Stopping");
    await terminal.sees("The turn ended as interrupted.");
    // What the agent had not taken gets a turn of its own.
    await terminal.sees("› scenario:echo left");
    await terminal.sees("mock-large ·");
    expect(await leave(terminal)).toBe(0);
  });

  test("shows the ask with --json too, and prints nothing that happened before", async () => {
    const session = await waiting("joined-json");
    const { head } = await session.details();
    const stdout = join(directory, "joined.jsonl");
    const terminal = at(["join", "joined-json", "--json"], { stdout });
    await terminal.sees("3) Deny\n> ");
    terminal.type(CTRL_C);
    await terminal.sees("Stopping");
    await eventually("the end", () => readFileSync(stdout, "utf8").includes("turn.ended"));
    expect(await leave(terminal)).toBe(0);
    const [first = ""] = readFileSync(stdout, "utf8").split("\n");
    expect((JSON.parse(first) as SessionEvent).seq).toBeGreaterThan(head);
  });
});

test("--json prints events on stdout, and everything else elsewhere", async () => {
  const stdout = join(directory, "events.jsonl");
  const terminal = await chat("json", { args: ["--json"], stdout });
  terminal.type("scenario:question\r");
  await terminal.sees("own words.\n> ");
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
  await terminal.sees("3) Deny\n> ");
  terminal.type("y\r");
  await terminal.sees("mock-large ·");
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
  await terminal.sees("mock-large ·");
  terminal.type("scenario:echo still here\r");
  await terminal.sees("mock-large ·");
  expect(await leave(terminal)).toBe(0);
  await stop(after);
});

test("joining a session of a data directory without a daemon starts one for its directory", async () => {
  const own = join(directory, "asleep");
  const before = await serve(["--data", own, "--root", project]);
  const other = await Interlingua.connect({ baseUrl: before.url, token: before.token });
  const session = await other.sessions.create({ agent: "mock", cwd: project, id: "asleep" });
  await session.prompt("scenario:echo once").text();
  await stop(before);
  const environment = { INTERLINGUA_STOP_WHEN_UNUSED_MS: "500" };
  writeFileSync(join(own, "config.json"), JSON.stringify({ limits: { idleDetachMs: 300 } }));
  const terminal = startAtTerminal(["join", "asleep", "--data", own], { cwd: directory, environment });
  await terminal.sees("› scenario:echo once");
  await terminal.sees("› ");
  terminal.type("scenario:recall\r");
  await terminal.sees("scenario:echo once");
  await terminal.sees("mock-large ·");
  expect(await leave(terminal)).toBe(0);
  await eventually("the daemon to end", () => readDaemonInfo(own) === undefined);
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
      stderr: expect.stringContaining("asks reply stuck"),
    });
    expect(await prompts("stuck")).toHaveLength(1);
  });
});
