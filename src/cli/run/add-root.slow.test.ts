/** A directory outside the roots of the daemon in the background. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SessionRoots } from "../../config/session-roots.ts";
import { InterlinguaError } from "../../sdk/index.ts";
import { readDaemonInfo } from "../../store/sqlite/data-directory-lock.ts";
import { eventually } from "../../testkit/eventually.ts";
import { startAtTerminal } from "../terminal-test-support.ts";
import { run, serve, stop } from "../test-support.ts";
import { withAddedRoot } from "./add-root.ts";

let directory: string;
let project: string;
let other: string;
let data: string;

beforeAll(async () => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-add-root-")));
  project = join(directory, "project");
  other = join(directory, "other");
  data = join(directory, "data");
  for (const folder of [project, other, data]) mkdirSync(folder);
  writeFileSync(join(other, "notes.md"), "# Notes\n");
  await command(project, "scenario:text", "--agent", "mock");
});

afterAll(async () => {
  await endDaemon();
  rmSync(directory, { recursive: true, maxRetries: 10 });
});

function command(cwd: string, ...args: string[]) {
  return run(["run", ...args, "--data", data], { cwd });
}

/** Its last word comes after it has let go of the data directory. */
async function endDaemon(): Promise<void> {
  process.kill(readDaemonInfo(data)!.pid, "SIGTERM");
  const log = () => readFileSync(join(data, "background.log"), "utf8").trimEnd();
  await eventually("the daemon to end", () => log().endsWith('"msg":"stopped"}'));
}

async function create(body: object, headers: Record<string, string> = {}): Promise<number> {
  const { url = "" } = readDaemonInfo(data) ?? {};
  const token = readFileSync(join(data, "token"), "utf8").trim();
  const response = await fetch(`${url}/v1/sessions`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ agent: "mock", cwd: other, ...body }),
  });
  return response.status;
}

test("without a terminal the error names the roots and the flag", async () => {
  expect(await command(other, "hi", "--agent", "mock")).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(`the daemon works in \\(${project}\\)\\. Give --add-root`),
  });
});

test("the refusal of the home does not speak of a flag that was not given", async () => {
  const args = ["run", "hi", "--agent", "mock", "--add-root", "--data", data];
  const { code, stderr } = await run(args, { cwd: other, environment: { HOME: other } });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(`^interlingua: ${other} is your home or holds it\\. `),
  });
});

test("with the flag the session works there, it is logged, and others do not", async () => {
  const args = ["scenario:text", "--agent", "mock", "--session", "added"];
  expect(await command(other, ...args, "--add-root")).toMatchObject({ code: 0 });
  expect(readFileSync(join(data, "background.log"), "utf8")).toMatch(
    /"session":"added","directory":"[^"]*other".*outside the roots/,
  );
  expect(statSync(join(data, "background.log")).mode & 0o777).toBe(0o600);
  expect(await create({ id: "by-token" })).toBe(403);
  expect(await create({})).toBe(403);
});

test("what was opened for a session stays so when the daemon is started again", async () => {
  await command(other, "scenario:text", "--agent", "mock", "--session", "lasting", "--add-root");
  await endDaemon();
  await command(project, "scenario:text", "--agent", "mock");
  expect(await command(other, "scenario:text", "--session", "lasting")).toMatchObject({ code: 0 });
});

test("joining a session without a daemon does not open its directory to others", async () => {
  await command(other, "scenario:text", "--agent", "mock", "--session", "joined", "--add-root");
  await endDaemon();
  const joined = await run(["join", "joined", "--data", data], { cwd: project, input: "scenario:text" });
  expect(joined).toMatchObject({ code: 0 });
  expect(await create({ id: "by-token" })).toBe(403);
  await endDaemon();
  await command(project, "scenario:text", "--agent", "mock");
});

test("a page cannot use what was opened, and a deleted session leaves nothing open", async () => {
  const roots = new SessionRoots(data);
  roots.allow("from-page", other);
  const { url = "" } = readDaemonInfo(data) ?? {};
  expect(await create({ id: "from-page" }, { origin: url })).toBe(403);
  expect(await create({ id: "from-page" })).toBe(201);
  expect(await create({ id: "from-page", cwd: directory })).toBe(403);
  const token = readFileSync(join(data, "token"), "utf8").trim();
  const headers = { authorization: `Bearer ${token}` };
  await fetch(`${url}/v1/sessions/from-page`, { method: "DELETE", headers });
  expect(await create({ id: "from-page" })).toBe(403);
});

describe("a directory that was opened for a session", () => {
  const flags = { values: {}, text: () => undefined, on: () => true };
  const lost = new InterlinguaError("unreachable", "No answer");

  function added<Created>(session: string, make: () => Promise<Created>): Promise<Created> {
    return withAddedRoot({ dataDirectory: data, session, directory: other, flags }, new Error("no"), make);
  }

  test("stays open when the answer to its creation was lost", async () => {
    let tries = 0;
    const make = async () => {
      const status = await create({ id: "lost" });
      if (tries++ === 0) throw lost;
      return status;
    };
    expect(await added("lost", make)).toBe(200);
    expect(new SessionRoots(data).directoryOf("lost")).toBe(other);
    await expect(added("unknown", () => Promise.reject(lost))).rejects.toBe(lost);
    expect(new SessionRoots(data).directoryOf("unknown")).toBe(other);
  });

  test("is closed again when the session is refused", async () => {
    const refusal = new InterlinguaError("agent_not_found", "There is no such agent.", { status: 404 });
    await expect(added("refused", () => Promise.reject(refusal))).rejects.toBe(refusal);
    expect(new SessionRoots(data).has("refused")).toBe(false);
  });
});

test("at a terminal it is asked for, and only a yes opens it", async () => {
  const args = ["chat", "--agent", "mock", "--session", "asked", "--data", data];
  const no = startAtTerminal(args, { cwd: other });
  await no.sees("[y/N] ");
  no.type("\r");
  expect((await no.ended).code).toBe(2);
  const yes = startAtTerminal(args, { cwd: other });
  await yes.sees("[y/N] ");
  yes.type("y\r");
  await yes.sees("› ");
  yes.type("scenario:echo @notes.md\r");
  await yes.sees(`File: ${join(other, "notes.md")}`);
  await yes.sees("› ");
  yes.type("/exit\r");
  expect((await yes.ended).code).toBe(0);
});

test("the data directory is refused, whatever is said", async () => {
  expect(await command(data, "hi", "--agent", "mock", "--add-root")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("data directory"),
  });
});

test("a daemon that somebody serves keeps to its roots", async () => {
  const served = await serve(["--data", join(directory, "served"), "--root", project]);
  const args = ["run", "hi", "--agent", "mock", "--data", join(directory, "served")];
  expect(await run(args, { cwd: other })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Start it with --root"),
  });
  expect(await run([...args, "--add-root"], { cwd: other })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--add-root: only a daemon that run or chat started takes it."),
  });
  await stop(served);
});
