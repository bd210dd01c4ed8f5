/** The commands that talk to a running daemon, each as its own process. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SessionEvent } from "../../core/event.ts";
import type { AskView, SessionView } from "../../protocol/commands/command-types.ts";
import { eventually } from "../../testkit/eventually.ts";
import { post, run, type Served, serve, start, stop } from "../test-support.ts";

let directory: string;
let daemon: Served;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "interlingua-clients-"));
  daemon = await serve(["--data", directory]);
});

afterAll(async () => {
  const { stderr } = await stop(daemon);
  rmSync(directory, { recursive: true });
  expect(stderr).not.toMatch(/"level":"(warn|error|fatal)"/);
});

async function createSession(id: string, prompt: string, title?: string): Promise<void> {
  await post(daemon, "/v1/sessions", { id, agent: "mock", title, options: { pace: 0 } });
  await post(daemon, `/v1/sessions/${id}/messages`, { text: prompt });
}

function command(...args: string[]) {
  return run([...args, "--data", directory]);
}

async function json<Answer>(...args: string[]): Promise<Answer> {
  const { code, stdout, stderr } = await command(...args, "--json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout) as Answer;
}

function eventsIn(output: string): SessionEvent[] {
  const lines = output.slice(0, output.lastIndexOf("\n") + 1).split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as SessionEvent);
}

function hasEnded(output: string): boolean {
  return eventsIn(output).some(({ type }) => type === "turn.ended");
}

describe("sessions", () => {
  beforeAll(async () => {
    await createSession("first", "scenario:text", "The first one");
    await createSession("second", "scenario:text", "Another \u001b[31mtitle");
  });

  test("--json gives them all, the newest first", async () => {
    const sessions = await json<SessionView[]>("sessions");
    expect(sessions.map(({ id }) => id).toSorted()).toEqual(["first", "second"]);
    expect(sessions[0]).toMatchObject({ agent: "mock", head: expect.any(Number) });
  });

  test("of an agent there is none of are not just none", async () => {
    expect(await command("sessions", "--agent", "claud")).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(
        /--agent: There is no agent "claud"\. Did you mean "claude"\? There are: /,
      ),
    });
    expect(await command("sessions", "--agent", "claude")).toMatchObject({
      code: 0,
      stderr: "interlingua: No sessions found.\n",
    });
  });

  test("can be narrowed down", async () => {
    const ids = async (...args: string[]) =>
      (await json<SessionView[]>("sessions", ...args)).map(({ id }) => id);
    expect(await ids("--search", "first")).toEqual(["first"]);
    expect(await ids("--limit", "1")).toHaveLength(1);
    expect(await ids("--agent", "claude")).toEqual([]);
    expect(await ids("--status", "closed")).toEqual([]);
  });

  test("come as a table for people", async () => {
    const { stdout } = await command("sessions");
    const [header = "", ...rows] = stdout.trimEnd().split("\n");
    expect(header).toMatch(/^ID +AGENT +STATUS +EVENTS +ASKS +AGE +TITLE$/);
    expect(rows).toHaveLength(2);
    const column = header.indexOf("TITLE");
    expect(rows.map((row) => row.slice(column)).toSorted()).toEqual(["Another [31mtitle", "The first one"]);
  });
});

test("a session without a title is listed by its first prompt, not by its directory", async () => {
  await createSession("untitled", "scenario:text Look at\nthe tests");
  for (const words of [["sessions"], ["sessions", "list"]]) {
    const { stdout } = await command(...words, "--search", "untitled");
    expect(stdout).toMatch(/\nuntitled .* scenario:text Look at the tests\n$/);
  }
});

test("a list of sessions that is cut says so", async () => {
  for (const id of ["pair-1", "pair-2"]) await createSession(id, "scenario:text");
  const listed = (limit: string) => command("sessions", "--search", "pair", "--limit", limit);
  expect((await listed("1")).stderr).toBe(
    "interlingua: There are more than these 1: --limit NUMBER shows more.\n",
  );
  expect((await listed("2")).stderr).toBe("");
});

test("a wrong token is told by where it came from, not by the header to send", async () => {
  const wrong = await run(["sessions", "--data", directory], { environment: { INTERLINGUA_TOKEN: "wrong" } });
  expect(wrong).toEqual({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^interlingua: The daemon does not take the token in INTERLINGUA_TOKEN\. /),
  });
});

describe("tail", () => {
  test("prints one event per line, follows, and ends with code 0 at Ctrl-C", async () => {
    await createSession("followed", "scenario:text");
    const tail = start(["tail", "followed", "--data", directory]);
    await eventually("the end of the turn", () => hasEnded(tail.stdout()));
    tail.child.kill("SIGINT");
    const { code, stdout, stderr } = await tail.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const events = eventsIn(stdout);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));

    const page = await command("tail", "followed", "--no-follow", "--after", "3");
    const rest = stdout.split("\n").slice(3);
    expect(page.stdout.split("\n").slice(0, rest.length - 1)).toEqual(rest.slice(0, -1));
  });

  test("goes on where it was when the daemon comes back, wherever that is", async () => {
    await createSession("interrupted", "scenario:text");
    const tail = start(["tail", "interrupted", "--data", directory]);
    await eventually("the end of the turn", () => hasEnded(tail.stdout()));
    await stop(daemon);
    daemon = await serve(["--data", directory]);
    await post(daemon, "/v1/sessions/interrupted/messages", { text: "scenario:text" });
    const ends = () => eventsIn(tail.stdout()).filter(({ type }) => type === "turn.ended").length;
    await eventually("the end of the second turn", () => ends() === 2);
    tail.child.kill("SIGINT");
    const { code, stdout } = await tail.ended;
    expect(code).toBe(0);
    const events = eventsIn(stdout);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  });

  test("is silent when its reader has had enough", async () => {
    await createSession("cut", "scenario:burst:2000");
    const tail = start(["tail", "cut", "--data", directory]);
    await eventually("a first line", () => tail.stdout().includes("\n"));
    tail.child.stdout?.destroy();
    await post(daemon, "/v1/sessions/cut/messages", { text: "scenario:burst:2000" });
    expect(await tail.ended).toMatchObject({ code: 0, stderr: "" });
  });

  test("of a session there is none of says so", async () => {
    const { code, stdout, stderr } = await command("tail", "nobody");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(
      /^interlingua: There is no session "nobody"\. interlingua sessions lists those there are\.\n$/,
    );
  });

  test("of a session whose name is mistyped names the one that may be meant", async () => {
    await createSession("reports", "scenario:text");
    expect(await command("tail", "repotrs")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining('There is no session "repotrs". Did you mean "reports"?'),
    });
    expect((await command("tail", "repott")).stderr).toContain('Did you mean "reports"?');
    await createSession("ses_0123456789abcdef", "scenario:text");
    expect((await command("tail", "ses_0133")).stderr).toContain('Did you mean "ses_0123456789abcdef"?');
  });
});

describe("asks", () => {
  test("are listed, answered, and gone", async () => {
    await createSession("asking", "scenario:approve");
    let asks: AskView[] = [];
    await eventually("the ask", async () => {
      asks = await json<AskView[]>("asks");
      return asks.length === 1;
    });
    const [{ session, ask } = { session: "", ask: "" }] = asks;
    expect(session).toBe("asking");
    expect((await command("asks")).stdout).toMatch(new RegExp(`^SESSION .*\nasking +${ask} +permission `));

    expect(await command("asks", "reply", session, ask)).toEqual({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(
        /^interlingua: It asks: Run npm test\nRuns the tests of this project\.\n {2}Allow: .* once\n {2}Allow for this session: run_command: .* always\n/,
      ),
    });
    expect(await command("asks", "reply", session, "a0")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has no open ask "a0"'),
    });
    expect(await command("asks", "reply", session, ask, "perhaps")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${ask} does not offer`),
    });
    // By the id of the option, as the list has it.
    expect(await command("asks", "reply", session, ask, "allow")).toMatchObject({ code: 0, stdout: "" });
    expect(await command("asks", "reply", session, ask, "reject")).toMatchObject({ code: 1, stdout: "" });
    expect(await json("asks")).toEqual([]);
    expect(await command("asks")).toEqual({
      code: 0,
      stdout: "",
      stderr: "interlingua: Nothing waits for an answer.\n",
    });
  });

  test("an input is changed before it is allowed", async () => {
    await createSession("editing", "scenario:approve");
    await eventually("the ask", async () => (await json<AskView[]>("asks")).length === 1);
    const [{ ask } = { ask: "" }] = await json<AskView[]>("asks");
    expect((await command("asks", "reply", "editing", ask)).stderr).toContain(
      `  Change it first: interlingua asks reply --data ${directory} editing ${ask} once --input JSON\n`,
    );
    for (const wrong of ["npm run lint", "[1]", "null"])
      expect(await command("asks", "reply", "editing", ask, "once", "--input", wrong)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("--input has to be a JSON object"),
      });
    expect(await command("asks", "reply", "editing", ask, "--input", "{}")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("asks reply needs one of once"),
    });
    const edited = JSON.stringify({ command: "npm run lint" });
    expect(await command("asks", "reply", "editing", ask, "reject", "--input", edited)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("`input` goes with an answer that allows something. Answer with"),
    });
    expect(await command("asks", "reply", "editing", ask, "once", "--input", edited)).toMatchObject({
      code: 0,
    });
    const { stdout } = await command("tail", "editing", "--no-follow");
    const shown = eventsIn(stdout).filter(({ type }) => type === "tool.input");
    expect(shown).toMatchObject([{}, { input: { command: "npm run lint" }, by: expect.any(String) }]);
  });

  test("that are questions are answered by their id", async () => {
    await createSession("question", "scenario:question");
    await eventually("the question", async () => (await json<AskView[]>("asks")).length === 1);
    const [{ ask } = { ask: "" }] = await json<AskView[]>("asks");
    expect((await command("asks")).stdout).toMatch(/\nquestion .* q1=\w[^|]*\|\w/);
    expect(await command("asks", "reply", "question", ask, "once")).toEqual({
      code: 1,
      stdout: "",
      stderr: `interlingua: Ask ${ask} does not offer "once". Answer with interlingua asks reply --data ${directory} question ${ask} --answer q1=TEXT, or reject; q1 offers Blue, Green\n`,
    });
    expect(await command("asks", "reply", "question", ask, "--answer", "q1=My own words")).toMatchObject({
      code: 0,
    });
    const { stdout } = await command("tail", "question", "--no-follow");
    const answered = eventsIn(stdout).find(({ type }) => type === "ask.answered");
    expect(answered).toMatchObject({ answers: { q1: ["My own words"] } });
  });
});

describe("agents", () => {
  test("come with what a probe found", async () => {
    expect(await json("agents")).toContainEqual(
      expect.objectContaining({ name: "mock", status: expect.objectContaining({ installed: true }) }),
    );
    expect((await command("agents")).stdout).toMatch(/^NAME +INSTALLED .*\n(.*\n)*mock +yes /);
  });
});

test("the daemon can also be given by its link", async () => {
  const elsewhere = { INTERLINGUA_DATA: "/nonexistent" };
  const byLink = await run(["agents", "--json"], {
    environment: { ...elsewhere, INTERLINGUA_URL: daemon.link },
  });
  expect(byLink).toMatchObject({ code: 0, stderr: "" });
  const environment = { ...elsewhere, INTERLINGUA_TOKEN: "wrong" };
  const refused = await run(["agents", "--url", daemon.url], { environment });
  expect(refused).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^interlingua: [^\n]*oken[^\n]*\n$/),
  });
});
