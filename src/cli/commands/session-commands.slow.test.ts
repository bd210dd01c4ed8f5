/** `sessions show|rename|close|delete|interrupt`, `queue` and `usage`, each as its own process. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SessionDetails } from "../../sdk/types.ts";
import { eventually } from "../../testkit/eventually.ts";
import { startAtTerminal } from "../terminal-test-support.ts";
import { post, run, type Served, serve, stop } from "../test-support.ts";

let directory: string;
let daemon: Served;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "interlingua-session-commands-"));
  daemon = await serve(["--data", directory]);
});

afterAll(async () => {
  await stop(daemon);
  rmSync(directory, { recursive: true });
});

function command(...args: string[]) {
  return run([...args, "--data", directory]);
}

async function json<Answer>(...args: string[]): Promise<Answer> {
  const { stdout } = await command(...args, "--json");
  return JSON.parse(stdout) as Answer;
}

async function create(id: string, title?: string): Promise<void> {
  await post(daemon, "/v1/sessions", { id, agent: "mock", title, options: { pace: 0 } });
}

async function prompt(session: string, text: string, id?: string): Promise<void> {
  await post(daemon, `/v1/sessions/${session}/messages`, { id, text });
}

async function untilStatus(session: string, status: string): Promise<void> {
  await eventually(`${session} is ${status}`, async () => {
    const { status: now, queued } = await json<SessionDetails>("sessions", "show", session);
    // Between two turns it is idle as well.
    return now === status && (status !== "idle" || queued === 0);
  });
}

test("a session is shown, renamed and closed, by the beginning of its id", async () => {
  await create("alphabet", "Before");
  expect(await command("sessions", "rename", "alpha", "After \u001b[31mall")).toEqual({
    code: 0,
    stdout: "",
    stderr: "interlingua: alphabet is renamed.\n",
  });
  const shown = await command("sessions", "show", "alpha");
  expect(shown).toMatchObject({ code: 0, stderr: "" });
  expect(shown.stdout).toMatch(/^Id +alphabet\nTitle +After \[31mall\nAgent +mock/);
  expect(shown.stdout).not.toContain("\u001b");
  expect(await json("sessions", "close", "alphabet")).toMatchObject({ id: "alphabet", status: "closed" });
  expect(await json("sessions", "show", "alphabet")).toMatchObject({ status: "closed" });
  expect(await command("sessions", "rename", "alphabet", "Never too late")).toMatchObject({ code: 0 });
  expect(await json("sessions", "show", "alphabet")).toMatchObject({ title: "Never too late" });
});

test("a session is pinned and archived, and comes back", async () => {
  await create("kept");
  expect(await command("sessions", "pin", "kept")).toMatchObject({
    code: 0,
    stderr: "interlingua: kept is pinned.\n",
  });
  expect(await json("sessions", "archive", "kept")).toMatchObject({ pinned: true, archived: true });
  const listed = async (...flags: string[]) =>
    (await json<{ id: string }[]>("sessions", ...flags)).map(({ id }) => id);
  expect(await listed()).not.toContain("kept");
  expect(await listed("--archived")).toEqual(["kept"]);
  // By the beginning of its id, though no list has it.
  expect((await command("sessions", "show", "kep")).stdout).toMatch(/^Pinned +yes\nArchived +yes$/m);
  expect(await json("sessions", "unpin", "kep")).not.toHaveProperty("pinned");
  expect(await command("sessions", "unarchive", "kep")).toMatchObject({
    stderr: "interlingua: kept is in the list again.\n",
  });
  expect(await listed()).toContain("kept");
});

test("a beginning that several ids have names them, and changes nothing", async () => {
  await create("twin-1");
  await create("twin-2");
  const { code, stdout, stderr } = await command("sessions", "close", "twin");
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^interlingua: Several sessions begin with "twin": twin-[12], twin-[12]\.\n$/);
  expect(await json("sessions", "show", "twin-1")).toMatchObject({ status: "idle" });
  // An id that is itself the beginning of others is not ambiguous.
  await create("twin");
  expect(await json("sessions", "show", "twin")).toMatchObject({ id: "twin" });
  expect((await command("sessions", "show", "nobody")).stderr).toContain('There is no session "nobody"');
});

test("nothing is deleted without somebody who says yes", async () => {
  await create("doomed");
  expect(await command("sessions", "delete", "doomed")).toEqual({
    code: 2,
    stdout: "",
    stderr: "interlingua: Nobody can be asked here whether that is meant. Give --yes.\n",
  });
  expect(await command("sessions", "delete", "doom", "--yes")).toEqual({
    code: 2,
    stdout: "",
    stderr: "interlingua: --yes needs the whole id: doomed.\n",
  });
  expect(await json("sessions", "delete", "doomed", "--yes")).toEqual({ id: "doomed", deleted: true });
  expect(await command("sessions", "show", "doomed")).toMatchObject({ code: 1 });
});

test("a turn is interrupted, and prompts that wait are listed, changed and removed", async () => {
  await create("busy");
  await prompt("busy", "scenario:hang");
  await untilStatus("busy", "running");
  await prompt("busy", "scenario:text", "second");
  await prompt("busy", "scenario:text", "third");
  const listed = await command("queue", "busy");
  expect(listed.stdout).toMatch(
    /^MESSAGE +AGE +SAYS\nsecond +\w+ +scenario:text\nthird +\w+ +scenario:text\n$/,
  );
  expect(await command("queue", "edit", "busy", "second", "scenario:echo changed")).toMatchObject({
    code: 0,
  });
  expect(await json("queue", "remove", "busy", "third")).toEqual({ message: "third", removed: true });
  expect(await json("queue", "busy")).toMatchObject([
    { message: "second", parts: [{ type: "text", text: "scenario:echo changed" }] },
  ]);
  expect(await command("queue", "remove", "busy", "third")).toMatchObject({ code: 1, stdout: "" });

  expect(await json("sessions", "interrupt", "busy")).toEqual({ interrupted: true });
  await untilStatus("busy", "idle");
  expect(await command("sessions", "interrupt", "busy")).toEqual({
    code: 0,
    stdout: "",
    stderr: "interlingua: No turn was running.\n",
  });
  expect(await command("queue", "busy")).toEqual({
    code: 0,
    stdout: "",
    stderr: "interlingua: No prompt waits.\n",
  });
});

test("usage is added up by what is asked for", async () => {
  await create("counted");
  await prompt("counted", "scenario:text");
  await untilStatus("counted", "idle");
  const { rows, total } = await json<{ rows: object[]; total: { turns: number } }>(
    "usage",
    "--by",
    "session",
  );
  expect(rows).toContainEqual(expect.objectContaining({ session: "counted", turns: 1 }));
  expect(total.turns).toBeGreaterThanOrEqual(1);
  // The mock's money is play money.
  expect(rows).toContainEqual(expect.objectContaining({ session: "counted", cost: 0, playCost: 0.000237 }));
  const csv = await command("usage", "counted", "--csv", "--by", "model,session");
  expect(csv.stdout).toMatch(/^session,model,turns,.*\r\ncounted,mock-large,1,.*\r\n$/);
  const table = await command("usage", "--by", "agent,day", "--session", "counted");
  expect(table.stdout).toMatch(/^AGENT +DAY +TURNS +INPUT +CACHED +OUTPUT .*\nmock +\d{4}-\d\d-\d\d +1 /);
  expect(table.stdout).toMatch(/ \(\$0\.0002\)\n$/);
  expect(table.stderr).toContain("$0.0002 is play money");
  expect(await json("usage", "count", "--by", "session")).toMatchObject({ rows: [{ session: "counted" }] });
  expect(await command("usage", "counted", "--session", "other")).toMatchObject({ code: 2, stdout: "" });
  expect(await command("usage", "--agent", "claude")).toMatchObject({
    code: 0,
    stdout: "",
    stderr: "interlingua: Nothing was used.\n",
  });
  expect(await command("usage", "--agent", "nobody")).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining('--agent: There is no agent "nobody".'),
  });
});

test("a session whose agent has told no modes has those that the agent always has", async () => {
  await create("modes");
  expect(await json("sessions", "show", "modes")).toMatchObject({ modes: [{ id: "build" }, { id: "plan" }] });
});

test("asks at 80 columns are no wider, however long their ids are", async () => {
  const session = "a-session-with-a-name-that-takes-more-than-half-of-the-width-of-the-terminal";
  await create(session);
  await prompt(session, "scenario:approve");
  await untilStatus(session, "waiting");
  const { code, stdout } = await startAtTerminal(["asks", "--data", directory]).ended;
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^SESSION +a-session-.*\nASK +\w+\nKIND +permission\nAGE +\w+\nOPTIONS +allow,.*\nTITLE +Run npm test\n/,
  );
  for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(86);
});

test("usage at 80 columns leaves columns out, but not the cost", async () => {
  await create("a-session-with-a-long-name-1");
  await prompt("a-session-with-a-long-name-1", "scenario:text");
  await untilStatus("a-session-with-a-long-name-1", "idle");
  const { ended } = startAtTerminal([
    ...["usage", "--by", "session,agent,day", "--session", "a-session-with-a-long-name-1"],
    ...["--data", directory],
  ]);
  const { code, stdout } = await ended;
  const [header = "", row = "", note] = stdout.split("\n");
  expect({ code, header: header.split(/ +/) }).toEqual({
    code: 0,
    header: ["SESSION", "AGENT", "DAY", "TURNS", "INPUT", "OUTPUT", "COST"],
  });
  expect(row).toMatch(/^a-session-with-a-long-name-1 .*\(\$0\.0002\)$/);
  expect(note).toMatch(/too narrow for CACHED, WAITED, TOOLS, ASKS, TIME\./);
});

test("without a daemon the queue, the usage and a session are what they were with it", async () => {
  await create("left");
  await prompt("left", "scenario:hang");
  await untilStatus("left", "running");
  await prompt("left", "scenario:text", "waits");
  await prompt("left", "before", "changed");
  await command("queue", "edit", "left", "changed", "after");
  const ask = async () => ({
    queue: await json("queue", "left"),
    usage: await json("usage", "--by", "session,day"),
    session: (await json<SessionDetails>("sessions", "show", "left")).head,
  });
  const alive = await ask();
  daemon.child.kill("SIGKILL");
  await daemon.ended;
  expect(await ask()).toEqual(alive);
  expect(alive.queue).toHaveLength(2);
  expect(await command("queue", "remove", "left", "waits")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("No daemon runs on"),
  });
  daemon = await serve(["--data", directory]);
});
