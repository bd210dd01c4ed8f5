/** `join` at real pseudo terminals, beside others in the same session. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Interlingua, type Session, type SessionEvent } from "../../sdk/index.ts";
import { readDaemonInfo } from "../../store/sqlite/data-directory-lock.ts";
import { eventually } from "../../testkit/eventually.ts";
import { leave, PERMISSION, projectWithDaemon, TURN_ENDED } from "../project-test-support.ts";
import { CTRL_C, startAtTerminal } from "../terminal-test-support.ts";
import { serve, stop } from "../test-support.ts";

const here = projectWithDaemon();
const { directory, project, at, chat } = here;

test("several terminals see the same, and an ask answered in one is gone in the others", async () => {
  const first = await chat("shared");
  first.type("scenario:approve\r");
  await first.sees(PERMISSION);
  const second = at(["join", "shared"], { columns: 200, cwd: directory });
  await second.sees("› scenario:approve");
  await second.sees(PERMISSION);
  second.type("1 and be quick\r");
  await first.sees('Run npm test: Allow ("and be quick"), answered by owner (cli)');
  await second.sees(TURN_ENDED);
  await first.sees(TURN_ENDED);
  second.type("scenario:echo from the second\r");
  await first.sees("› scenario:echo from the second");
  await first.sees(TURN_ENDED);
  expect(await leave(first)).toBe(0);
  expect(await leave(second)).toBe(0);
});

test("what was tried again in a turn that is over is not said to go on for minutes", async () => {
  const session = await here.client.sessions.create({ id: "retried", agent: "mock", cwd: project });
  await session.prompt("scenario:retry").text();
  const terminal = at(["join", "retried"]);
  await terminal.sees("› scenario:retry");
  await terminal.sees(TURN_ENDED);
  await terminal.sees("› ");
  terminal.type("scenario:retry\r");
  await terminal.sees(TURN_ENDED);
  expect(await leave(terminal)).toBe(0);
  expect(terminal.shown().match(/It tries again by itself/g)).toHaveLength(1);
});

describe("joining a running turn that waits for an answer", () => {
  async function waiting(id: string): Promise<Session> {
    const session = await here.client.sessions.create({ id, agent: "mock", cwd: project });
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
    await terminal.sees(PERMISSION);
    terminal.type(CTRL_C);
    await terminal.sees("Stopping");
    await terminal.sees("What waits is held.");
    await terminal.sees("The turn ended as interrupted.");
    // What the agent had not taken gets a turn of its own, when the person says so.
    terminal.type("/continue\r");
    await terminal.sees("› scenario:echo left");
    await terminal.sees(TURN_ENDED);
    expect(await leave(terminal)).toBe(0);
  });

  test("shows the ask with --json too, and prints nothing that happened before", async () => {
    const session = await waiting("joined-json");
    const { head } = await session.details();
    const stdout = join(directory, "joined.jsonl");
    const terminal = at(["join", "joined-json", "--json"], { stdout });
    await terminal.sees(PERMISSION);
    terminal.type(CTRL_C);
    await terminal.sees("Stopping");
    await eventually("the end", () => readFileSync(stdout, "utf8").includes("turn.ended"));
    expect(await leave(terminal)).toBe(0);
    const [first = ""] = readFileSync(stdout, "utf8").split("\n");
    expect((JSON.parse(first) as SessionEvent).seq).toBeGreaterThan(head);
  });
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
  await terminal.sees(TURN_ENDED);
  expect(await leave(terminal)).toBe(0);
  await eventually("the daemon to end", () => readDaemonInfo(own) === undefined);
});
