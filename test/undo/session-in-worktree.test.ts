/** New sessions in a git worktree of their own, with the real git, through the SDK and the command line. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkLog } from "../../src/core/check-log.ts";
import type { SessionEvent } from "../../src/core/event.ts";
import { type Daemon, startDaemon } from "../../src/daemon.ts";
import { Interlingua } from "../../src/sdk/index.ts";
import { Project } from "./project.ts";

let project: Project;
let daemon: Daemon;
let client: Interlingua;
let plain: string;

beforeEach(async () => {
  project = new Project();
  plain = join(project.root, "..", "plain");
  mkdirSync(plain);
  await start();
});

afterEach(async () => {
  await stop();
  project[Symbol.dispose]();
});

async function start(): Promise<void> {
  const { data, root } = project;
  daemon = await startDaemon({ port: 0, data, roots: [root, plain], checkpoints: "on" });
  client = await Interlingua.connect({ baseUrl: daemon.url, token: daemon.token });
}

async function stop(): Promise<void> {
  await client.dispose();
  await daemon.close();
}

function git(directory: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd: directory, encoding: "utf8" }).trim();
}

const wishes = (more: object = {}) => ({
  agent: "mock",
  cwd: project.root,
  options: { pace: 0 },
  worktree: true,
  ...more,
});

test("it has the last commit on a branch of its own, and the person's files stay as they are", async () => {
  const committed = git(project.root, "ls-files");
  writeFileSync(join(project.root, "not-committed"), "mine");
  const before = git(project.root, "status", "--porcelain=v2", "--branch", "-uall");
  const session = await client.sessions.create(wishes());
  const { cwd } = await session.details();
  expect(cwd.startsWith(join(realpathSync(project.data), "worktrees", session.id))).toBe(true);
  expect(git(cwd, "symbolic-ref", "HEAD")).toBe(`refs/heads/interlingua/${session.id}`);
  expect(git(cwd, "ls-files")).toBe(committed);
  expect(existsSync(join(cwd, "not-committed"))).toBe(false);
  const { events } = await session.eventsPage();
  expect(events.map(({ type }) => type)).toEqual(["session.created", "notice"]);
  expect(events[1]).toMatchObject({
    code: "worktree",
    level: "info",
    text: expect.stringContaining("last commit"),
  });
  await session.prompt("scenario:files").text();
  const log = (await session.eventsPage({ limit: 1000 })).events as SessionEvent[];
  expect(checkLog(log, { complete: true })).toEqual([]);
  expect(git(project.root, "status", "--porcelain=v2", "--branch", "-uall")).toBe(before);
  expect(readFileSync(join(project.root, "not-committed"), "utf8")).toBe("mine");
});

test("the request can be repeated, and another one with the same id is refused", async () => {
  const first = await client.sessions.create(wishes({ id: "mine" }));
  const again = await client.sessions.create(wishes({ id: "mine" }));
  expect([again.id, (await again.details()).cwd]).toEqual(["mine", (await first.details()).cwd]);
  expect(git(project.root, "worktree", "list").split("\n")).toHaveLength(2);
  await expect(client.sessions.create(wishes({ id: "mine", worktree: false }))).rejects.toMatchObject({
    code: "session_exists",
  });
});

test("deleted unused it leaves nothing behind, also after a restart", async () => {
  const session = await client.sessions.create(wishes());
  const { cwd } = await session.details();
  await stop();
  await start();
  expect(existsSync(cwd)).toBe(true);
  await client.sessions.handle(session.id).delete();
  expect(existsSync(cwd)).toBe(false);
  expect(git(project.root, "worktree", "list").split("\n")).toHaveLength(1);
  expect(git(project.root, "branch", "--list", "interlingua/*")).toBe("");
});

test("one that cannot be is refused, and leaves no session and no branch", async () => {
  await expect(client.sessions.create(wishes({ id: "a", cwd: plain }))).rejects.toMatchObject({
    code: "worktree_impossible",
    message: expect.stringContaining("not in a git repository"),
  });
  await expect(client.sessions.create(wishes({ id: "b", agent: "nobody" }))).rejects.toMatchObject({
    code: "agent_not_found",
  });
  for (const id of ["a", "b"])
    await expect(client.sessions.get(id)).rejects.toMatchObject({ code: "session_not_found" });
  expect(git(project.root, "worktree", "list").split("\n")).toHaveLength(1);
  const answer = await fetch(`${daemon.url}/v1/sessions`, {
    method: "POST",
    headers: { authorization: `Bearer ${daemon.token}`, "content-type": "application/json" },
    body: JSON.stringify(wishes({ worktree: "yes" })),
  });
  expect([answer.status, await answer.json()]).toMatchObject([400, { errors: [{ path: "worktree" }] }]);
});
