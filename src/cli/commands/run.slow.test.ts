/** `run` as its own process against a real daemon. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { SessionEvent } from "../../core/event.ts";
import { readDaemonInfo } from "../../store/sqlite/data-directory-lock.ts";
import { eventually } from "../../testkit/eventually.ts";
import { projectWithDaemon } from "../project-test-support.ts";
import { run, serve, start, stop } from "../test-support.ts";

const here = projectWithDaemon();
const { directory, project } = here;

/** Looked for by its lock: whoever asks the daemon itself uses it. */
function daemonToEnd(data: string): Promise<void> {
  return eventually("the daemon to end", () => readDaemonInfo(data) === undefined);
}

function command(...args: string[]) {
  return here.command("run", ...args);
}

/** How the turns of a session ended. */
async function outcomes(session: string): Promise<string[]> {
  const { events } = await here.client.sessions.handle(session).eventsPage({ after: 0, limit: 1000 });
  return events.flatMap((event) => (event.type === "turn.ended" ? event.outcome : []));
}

test("the answer is on stdout, and nothing else", async () => {
  expect(await command("scenario:text", "--agent", "mock")).toMatchObject({
    code: 0,
    stdout: "Hello from the mock agent. This is a short, plain answer.\n",
    stderr: expect.stringContaining("mock-large"),
  });
});

test("--permissions is the permission mode of the session, a new one and one that there is", async () => {
  const shown = async () => JSON.parse((await here.command("sessions", "show", "careful", "--json")).stdout);
  await command("scenario:text", "--agent", "mock", "--session", "careful", "--permissions", "plan");
  expect(await shown()).toMatchObject({ permissionMode: "plan" });
  await command("scenario:text", "--session", "careful", "--permissions", "acceptEdits");
  expect(await shown()).toMatchObject({ permissionMode: "acceptEdits" });
});

test("--json prints the events of the turn, one per line", async () => {
  const { code, stdout } = await command("scenario:rich", "--agent", "mock", "--yes", "--json");
  const events = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as SessionEvent);
  expect(code).toBe(0);
  expect(events[0]?.type).toBe("prompt.accepted");
  expect(events.at(-1)).toMatchObject({ type: "turn.ended", outcome: "completed" });
});

describe("an ask", () => {
  test("is allowed by --yes", async () => {
    const { code, stderr } = await command("scenario:approve", "--agent", "mock", "--yes");
    expect(code).toBe(0);
    expect(stderr).toContain("Run npm test");
  });

  test("is refused by --deny, a question too", async () => {
    const denied = await command("scenario:approve", "--agent", "mock", "--deny");
    expect(denied).toMatchObject({ code: 0, stderr: expect.stringContaining("not allowed") });
    expect((await command("scenario:question", "--agent", "mock", "--deny")).code).toBe(0);
  });

  test("ends it with 3 where nobody can answer, and says how; the turn waits on", async () => {
    const { code, stderr } = await command("scenario:approve", "--agent", "mock", "--session", "waiting");
    expect(code).toBe(3);
    expect(stderr).toMatch(/Deny: interlingua asks reply --data \S+ waiting \S+ reject\n/);
    const [, reply] = /Allow: interlingua (asks reply --data \S+ waiting \S+ once)/.exec(stderr) ?? [];
    expect(await command("scenario:text", "--session", "waiting")).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("waits for an answer"),
    });
    expect((await run(reply!.split(" "), { cwd: project })).code).toBe(0);
    expect((await command("scenario:text", "--session", "waiting")).code).toBe(0);
  });

  test("of a daemon with an address: who may answer gets commands that reach it, who may not gets none", async () => {
    const asking = await here.client.sessions.create({ id: "far", agent: "mock", cwd: project });
    await asking.prompt("scenario:approve").accepted;
    await eventually("the ask", async () => (await asking.asks()).length > 0);
    const as = async (role: "observer" | "participant" | "operator") => {
      const { token } = await here.client.tokens.create({ name: `far-${role}`, role });
      const environment = { INTERLINGUA_TOKEN: token };
      const { url } = here.daemon;
      return (...args: string[]) => run([...args, "--url", url], { cwd: project, environment });
    };
    const observer = await as("observer");
    const refused = await observer("run", "hello", "--session", "far");
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Sending prompts needs the role"),
    });
    expect(refused.stderr).not.toContain("asks reply");
    const { ask } = (await asking.asks())[0]!;
    expect((await observer("asks", "reply", "far", ask, "once")).stderr).toContain(
      "needs the role participant; permissions and plans need the role operator.",
    );
    const participant = await (await as("participant"))("run", "hello", "--session", "far");
    expect(participant).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("needs the role operator"),
    });
    expect(participant.stderr).not.toContain("asks reply");
    const operator = await as("operator");
    const { code, stderr } = await operator("run", "hello", "--session", "far");
    const [, url, reply = ""] =
      /Allow: interlingua asks reply --url (\S+) (far \S+ once)\n/.exec(stderr) ?? [];
    expect({ code, url }).toEqual({ code: 3, url: here.daemon.url });
    expect((await operator("asks", "reply", ...reply.split(" "))).code).toBe(0);
  });

  test("that is a question stays open with --yes", async () => {
    const { code, stderr } = await command("scenario:question", "--agent", "mock", "--yes");
    expect(code).toBe(3);
    expect(stderr).toContain("q1: Which colour should the button have? (Blue, Green, or your own words)");
    expect(stderr).toContain("--answer q1=TEXT");
  });
});

test("a turn that fails ends it with 1, and says why", async () => {
  expect(await command("scenario:crash", "--agent", "mock")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/mock/i),
  });
});

test("that the agent tries again is said once, with what stops it", async () => {
  const { code, stderr } = await command("scenario:retry", "--agent", "mock");
  expect(code).toBe(0);
  expect(stderr.match(/It tries again by itself.*Ctrl-C stops the turn/g)).toHaveLength(1);
});

test("--continue goes on with the last session of the directory", async () => {
  await command("scenario:echo one", "--agent", "mock", "--session", "talk");
  await command("scenario:echo two", "--continue");
  expect(await here.prompts("talk")).toHaveLength(2);
});

test("--session takes the beginning of an id, and says when it makes a session", async () => {
  const made = await command("scenario:echo one", "--agent", "mock", "--session", "prefix-of-one");
  expect(made.stderr).toContain("New session prefix-of-one.");
  const gone = await command("scenario:recall", "--session", "prefix-of");
  expect(gone).toMatchObject({ code: 0, stdout: expect.stringContaining("scenario:echo one") });
  expect(gone.stderr).not.toContain("New session");
});

test("a file goes along", async () => {
  writeFileSync(join(project, "notes.md"), "# Notes\n");
  const args = ["scenario:text", "--agent", "mock", "--session", "with-file", "--attach", "notes.md"];
  expect((await command(...args)).code).toBe(0);
  expect(await here.prompts("with-file")).toMatchObject([
    [{ type: "text" }, { mediaType: "text/markdown", filename: "notes.md" }],
  ]);
});

test("Ctrl-C stops the turn, and the exit code says so", async () => {
  const data = ["--data", here.data];
  const running = start(["run", "scenario:hang", "--agent", "mock", ...data], { cwd: project });
  await eventually("text", () => running.stdout().includes("Let me think"));
  running.child.kill("SIGINT");
  expect(await running.ended).toMatchObject({ code: 130, stderr: expect.stringContaining("Stopping") });
});

test("SIGTERM stops the turn as Ctrl-C does, instead of leaving it running", async () => {
  const flags = ["--agent", "mock", "--session", "terminated", "--data", here.data];
  const running = start(["run", "scenario:hang", ...flags], { cwd: project });
  await eventually("text", () => running.stdout().includes("Let me think"));
  running.child.kill("SIGTERM");
  expect(await running.ended).toMatchObject({
    code: 143,
    stderr: expect.stringContaining("Stopping. Another signal leaves at once."),
  });
  expect(await outcomes("terminated")).toEqual(["interrupted"]);
});

test("SIGTERM while a chat works through its stdin stops the turn, and what would come next", async () => {
  const flags = ["--agent", "mock", "--session", "terminated-chat", "--data", here.data];
  const chat = start(["chat", ...flags], { cwd: project, input: "scenario:hang\nscenario:text\n" });
  await eventually("text", () => chat.stdout().includes("Let me think"));
  chat.child.kill("SIGTERM");
  expect((await chat.ended).code).toBe(143);
  expect(await outcomes("terminated-chat")).toEqual(["interrupted"]);
});

test("a second SIGTERM ends it at once, also where the daemon does not answer", async () => {
  const own = join(directory, "stopped-daemon");
  const served = await serve(["--data", own, "--root", project]);
  const running = start(["run", "scenario:hang", "--agent", "mock", "--data", own], { cwd: project });
  await eventually("text", () => running.stdout().includes("Let me think"));
  process.kill(served.child.pid!, "SIGSTOP");
  try {
    running.child.kill("SIGTERM");
    await eventually("the note", () => running.stderr().includes("Stopping."));
    // One that comes right after the first is taken for the same.
    await eventually("the second one", () => {
      const hasLeft = running.stderr().includes("The turn goes on without you.");
      if (!hasLeft) running.child.kill("SIGTERM");
      return hasLeft;
    });
    expect((await running.ended).code).toBe(143);
  } finally {
    process.kill(served.child.pid!, "SIGCONT");
    await stop(served);
  }
});

describe("--timeout", () => {
  test("stops the turn, and the exit code says so", async () => {
    const flags = ["--agent", "mock", "--session", "late", "--timeout", "1s", "--json"];
    const { code, stdout, stderr } = await command("scenario:hang", ...flags);
    expect({ code, stderr }).toEqual({
      code: 124,
      stderr: expect.stringContaining("The time of --timeout is over. Stopping."),
    });
    expect(JSON.parse(stdout.trim().split("\n").at(-1)!)).toMatchObject({
      type: "turn.ended",
      outcome: "interrupted",
    });
    expect(await outcomes("late")).toEqual(["interrupted"]);
  });

  test("that is not over does not matter", async () => {
    expect((await command("scenario:text", "--agent", "mock", "--timeout", "10m")).code).toBe(0);
  });

  test("a daemon that did not answer kept the command forever, before its prompt was sent", async () => {
    const own = join(directory, "silent-daemon");
    const served = await serve(["--data", own, "--root", project]);
    process.kill(served.child.pid!, "SIGSTOP");
    try {
      const flags = ["--agent", "mock", "--data", own, "--timeout", "1s"];
      const { code, stderr } = await start(["run", "scenario:text", ...flags], { cwd: project }).ended;
      expect({ code, stderr }).toEqual({
        code: 124,
        stderr: expect.stringContaining("the daemon did not answer in time, and the prompt was not sent"),
      });
    } finally {
      process.kill(served.child.pid!, "SIGCONT");
      await stop(served);
    }
  });

  test("takes a prompt back that still waits, and leaves the turn of others alone", async () => {
    const there = ["--data", here.data];
    const other = start(["run", "scenario:hang", "--agent", "mock", "--session", "occupied", ...there], {
      cwd: project,
    });
    await eventually("text", () => other.stdout().includes("Let me think"));
    const waiting = await command("scenario:text", "--session", "occupied", "--timeout", "1s", "--json");
    expect(waiting).toMatchObject({ code: 124, stdout: expect.stringContaining("prompt.withdrawn") });
    expect(other.child.exitCode).toBe(null);
    other.child.kill("SIGINT");
    expect((await other.ended).code).toBe(130);
  });

  test("ends an ask that a person leaves open", async () => {
    const flags = ["--agent", "mock", "--session", "asked-late", "--timeout", "3s"];
    const terminal = here.at(["run", "scenario:approve", ...flags]);
    expect(await terminal.ended).toMatchObject({
      code: 124,
      stdout: expect.stringContaining("Run npm test"),
    });
    expect(await outcomes("asked-late")).toEqual(["interrupted"]);
  });

  test("does not keep an ask waiting that nobody can answer", async () => {
    const flags = ["--agent", "mock", "--session", "unanswered-late", "--timeout", "10m"];
    expect((await command("scenario:approve", ...flags)).code).toBe(3);
  });

  test.each([
    ["600", "is not a duration. Write it like 90s"],
    ["0s", "is not a duration"],
    ["5w", "at most 24d"],
  ])("%s is refused", async (given, words) => {
    const { code, stderr } = await command("scenario:text", "--agent", "mock", "--timeout", given);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(words) });
  });
});

test("a turn whose daemon comes back on another port is found again, not waited for at the old one", async () => {
  const data = join(directory, "restarted");
  const before = await serve(["--data", data, "--root", project]);
  const running = start(["run", "scenario:hang", "--agent", "mock", "--data", data], { cwd: project });
  await eventually("text", () => running.stdout().includes("Let me think"));
  before.child.kill("SIGKILL");
  await before.ended;
  const after = await serve(["--data", data, "--root", project]);
  expect(await running.ended).toMatchObject({ code: 130, stderr: expect.stringContaining("restarted") });
  await stop(after);
});

test("Ctrl-C while the prompt waits takes it back, and leaves the turn of others alone", async () => {
  const data = ["--data", here.data];
  const other = start(["run", "scenario:hang", "--agent", "mock", "--session", "busy", ...data], {
    cwd: project,
  });
  await eventually("text", () => other.stdout().includes("Let me think"));
  const own = start(["run", "scenario:text", "--session", "busy", "--json", ...data], { cwd: project });
  await eventually("its place in the queue", () => own.stdout().includes("prompt.accepted"));
  own.child.kill("SIGINT");
  const { code, stdout } = await own.ended;
  expect(code).toBe(130);
  expect(stdout).toContain("prompt.withdrawn");
  expect(other.child.exitCode).toBe(null);
  other.child.kill("SIGINT");
  expect((await other.ended).code).toBe(130);
});

test("two that find no daemon share the one that starts first", async () => {
  const data = join(directory, "raced");
  mkdirSync(data);
  writeFileSync(join(data, "config.json"), JSON.stringify({ limits: { idleDetachMs: 300 } }));
  const environment = { INTERLINGUA_STOP_WHEN_UNUSED_MS: "1000" };
  const both = [1, 2].map(() =>
    run(["run", "scenario:text", "--agent", "mock", "--data", data], { cwd: project, environment }),
  );
  expect((await Promise.all(both)).map(({ code }) => code)).toEqual([0, 0]);
  await daemonToEnd(data);
});

describe("called wrongly", () => {
  test.each([
    [["hi", "--yes", "--deny"], "contradict"],
    [["hi", "--session", "a", "--continue"], "two sessions"],
    [[""], "empty"],
    [["hi", "--attach", "nowhere.md"], "--attach"],
    [["hi", "--cwd", "nowhere"], "--cwd"],
    [["hi", "--session", "talk", "--agent", "claude"], "is a session of mock"],
    [["hi", "--session", "no/name", "--agent", "mock"], "--session: use 1 to 128 letters"],
    [["hi", "--agent", "mock", "--mode", "none"], "has no mode"],
    [["hi", "--agent", "mock", "--permissions", "wild"], "--permissions: there is no permission mode"],
  ])("%j", async (args, words) => {
    expect(await command(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
  });

  test("a mistyped agent is named with the one that may be meant", async () => {
    const { code, stderr } = await command("hi", "--agent", "mokc");
    expect(code).toBe(2);
    expect(stderr).toContain('--agent: There is no agent "mokc". Did you mean "mock"?');
  });

  test("an agent that is not there is named with those that are", async () => {
    const { code, stderr } = await command("hi", "--agent", "nobody");
    expect(code).toBe(2);
    expect(stderr).toContain("claude");
    // This one was not started in the background.
    expect(stderr).not.toContain("--config");
  });

  test("a mistyped session is not made silently: those there are can be listed", async () => {
    const { code, stderr } = await command("scenario:text", "--session", "tlak");
    expect(code).toBe(2);
    expect(stderr).toContain('There is no session "tlak". Did you mean "talk"? interlingua sessions');
    await expect(here.client.sessions.get("tlak")).rejects.toMatchObject({ code: "session_not_found" });
  });
});

test("an agent of a config file that the daemon in the background has not read: where it comes from is said", async () => {
  const data = join(directory, "unconfigured");
  const environment = { INTERLINGUA_STOP_WHEN_UNUSED_MS: "500" };
  const { code, stderr } = await run(["run", "hi", "--agent", "parrot", "--data", data], {
    cwd: project,
    environment,
  });
  expect(code).toBe(2);
  expect(stderr).toContain('--agent: There is no agent "parrot".');
  expect(stderr.replace(/\s+/g, " ")).toContain("interlingua serve --config FILE");
  await daemonToEnd(data);
});

test("where no daemon runs, one is started, and ends when it is not used", async () => {
  const data = join(directory, "fresh");
  mkdirSync(data);
  writeFileSync(join(data, "config.json"), JSON.stringify({ limits: { idleDetachMs: 300 } }));
  const environment = { INTERLINGUA_STOP_WHEN_UNUSED_MS: "500" };
  const first = await run(["run", "scenario:text", "--agent", "mock", "--data", data], {
    cwd: project,
    environment,
  });
  expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining("Hello from the mock agent") });
  await daemonToEnd(data);
});
