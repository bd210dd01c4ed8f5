/** Forks and files, with the real git, through the SDK: a worktree of its own, or the directory that is there. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SessionRoots } from "../../src/config/session-roots.ts";
import { type Daemon, type DaemonOptions, startDaemon } from "../../src/daemon.ts";
import { Interlingua, type Session } from "../../src/sdk/index.ts";
import { AFTER, BEFORE, Project } from "./project.ts";

let project: Project;
let daemon: Daemon;
let client: Interlingua;
let session: Session;

beforeEach(async () => {
  project = new Project();
  await start();
  session = await client.sessions.create({ agent: "mock", cwd: project.root, options: { pace: 0 } });
});

afterEach(async () => {
  await stop();
  project[Symbol.dispose]();
});

async function start(
  options: Pick<DaemonOptions, "canAddRoots"> = {},
  furtherRoots: readonly string[] = [],
): Promise<void> {
  const { data, root } = project;
  const roots = [root, plainDirectory(), ...furtherRoots];
  for (const directory of roots) mkdirSync(directory, { recursive: true });
  daemon = await startDaemon({ port: 0, data, roots, checkpoints: "on", ...options });
  client = await Interlingua.connect({ baseUrl: daemon.url, token: daemon.token });
}

/** In no repository. */
function plainDirectory(): string {
  return join(project.root, "..", "plain");
}

async function stop(): Promise<void> {
  await client.dispose();
  await daemon.close();
}

function git(directory: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd: directory, encoding: "utf8" }).trim();
}

function read(directory: string, name: string): string | undefined {
  const path = join(directory, name);
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

function filesIn(directory: string): (string | undefined)[] {
  return ["mock-written.txt", "mock-by-shell.txt", "mock-removed.txt"].map((name) => read(directory, name));
}

/** All of the repository that is the person's, with the bytes of its index. */
function repository(): unknown[] {
  return [
    git(project.root, "status", "--porcelain=v2", "--branch", "-uall"),
    git(project.root, "rev-parse", "HEAD"),
    git(project.root, "symbolic-ref", "HEAD"),
    git(project.root, "stash", "list"),
    readFileSync(join(project.root, ".git", "index")).toString("base64"),
    readFileSync(join(project.root, ".git", "config"), "utf8"),
  ];
}

/** A page of the daemon asks for a fork. */
async function expectRefusedToPage(id: string, body: object): Promise<void> {
  const answer = await fetch(`${daemon.url}/v1/sessions/${id}/fork`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${daemon.token}`,
      "content-type": "application/json",
      origin: new URL(daemon.url).origin,
    },
    body: JSON.stringify(body),
  });
  expect([answer.status, await answer.json()]).toMatchObject([403, { code: "outside_roots" }]);
}

async function directoryOf(one: Session): Promise<string> {
  return (await one.details()).cwd;
}

async function notices(one: Session): Promise<string[]> {
  const { events } = await one.eventsPage({ limit: 1000 });
  return events.flatMap((event) => (event.type === "notice" ? [event.text] : []));
}

test("a fork in a worktree has the files of then, and the person's repository stays as it is", async () => {
  project.write("uncommitted.txt", "mine\n");
  const hook = join(project.root, ".git", "hooks", "post-checkout");
  mkdirSync(join(project.root, ".git", "hooks"), { recursive: true });
  writeFileSync(hook, `#!/bin/sh\ntouch "${project.data}/hook-ran"\n`);
  chmodSync(hook, 0o755);
  await session.prompt("scenario:text").text();
  const second = session.prompt("scenario:files");
  await second.text();
  git(project.root, "status");
  const before = repository();

  const now = await session.fork({ worktree: true });
  const then = await session.fork({ worktree: true, before: second.id });
  const [here, there] = [await directoryOf(now), await directoryOf(then)];
  expect(repository()).toEqual(before);
  expect(existsSync(join(project.data, "hook-ran"))).toBe(false);
  expect(filesIn(here)).toEqual(AFTER);
  expect(filesIn(there)).toEqual(BEFORE);
  for (const directory of [here, there]) {
    expect(read(directory, "uncommitted.txt")).toBe("mine\n");
    expect(git(directory, "rev-parse", "HEAD")).toBe(git(project.root, "rev-parse", "HEAD"));
  }
  expect(git(here, "symbolic-ref", "HEAD")).toBe(`refs/heads/interlingua/${now.id}`);
  expect(git(there, "status", "--porcelain")).toBe("?? uncommitted.txt");
  expect((await notices(now)).join()).toContain(`interlingua/${now.id}`);

  // What is done in one is done there alone, and can be undone there.
  await then.prompt("scenario:files").text();
  expect(filesIn(there)).toEqual(AFTER);
  const checkpoints = await then.checkpoints();
  expect(checkpoints.map(({ kind }) => kind)).toEqual(["created", "before", "after"]);
  await then.restore({ checkpoint: checkpoints[0]!.id });
  expect(filesIn(there)).toEqual(BEFORE);
  expect(filesIn(project.root)).toEqual(AFTER);
  expect(repository()).toEqual(before);
});

test("the worktree of a deleted fork goes if nothing was done in it, else it stays", async () => {
  await session.prompt("scenario:text").text();
  project.write("uncommitted.txt", "mine\n");
  const [unused, used, committed] = [
    await session.fork({ worktree: true }),
    await session.fork({ worktree: true }),
    await session.fork({ worktree: true }),
  ];
  const places = await Promise.all([unused, used, committed].map(directoryOf));
  await used.prompt("scenario:files").text();
  git(
    places[2]!,
    "-c",
    "user.name=a",
    "-c",
    "user.email=a@example.com",
    "commit",
    "-qam",
    "x",
    "--allow-empty",
  );
  await stop();
  await start();
  for (const one of [unused, used, committed]) await (await client.sessions.get(one.id)).delete();
  expect(places.map((place) => existsSync(place))).toEqual([false, true, true]);
  const branches = git(project.root, "branch", "--format=%(refname:short)").split("\n");
  expect(branches).not.toContain(`interlingua/${unused.id}`);
  expect(branches).toContain(`interlingua/${used.id}`);
  expect(git(project.root, "worktree", "list")).not.toContain(unused.id);
  expect(filesIn(places[1]!)).toEqual(AFTER);
  // What stays is the person's: a restart does not touch it.
  await stop();
  await start();
  expect(filesIn(places[1]!)).toEqual(AFTER);
});

test("a worktree that another session works in stays when its own is deleted", async () => {
  await session.prompt("scenario:text").text();
  const fork = await session.fork({ worktree: true });
  const shared = await fork.fork();
  const directory = await directoryOf(fork);
  expect(await directoryOf(shared)).toBe(directory);
  await fork.delete();
  expect(await shared.prompt("scenario:files").text()).not.toBe("");
  expect(filesIn(directory)).toEqual(AFTER);
});

test("a worktree that a dead daemon had half made is removed at the next start", async () => {
  const fork = await session.fork({ worktree: true });
  const directory = await directoryOf(fork);
  const record = join(project.data, "worktrees", `${fork.id}.json`);
  const { repository, root, branch, commit } = JSON.parse(readFileSync(record, "utf8"));
  await fork.prompt("scenario:files").text();
  await fork.delete();
  expect(existsSync(directory)).toBe(true);
  writeFileSync(record, JSON.stringify({ repository, root, branch, commit }));
  await stop();
  await start();
  expect(existsSync(directory)).toBe(false);
  expect(git(project.root, "worktree", "list").split("\n")).toHaveLength(1);
});

test("a fork of a session below the top level works below the top level of its worktree", async () => {
  const below = join(project.root, "packages", "one");
  mkdirSync(below, { recursive: true });
  writeFileSync(join(below, "code.txt"), "committed\n");
  project.git("add", "-A");
  project.git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "second");
  writeFileSync(join(below, "code.txt"), "changed\n");
  writeFileSync(join(below, "new.txt"), "new\n");
  project.write("README.md", "changed outside\n");
  const inner = await client.sessions.create({ agent: "mock", cwd: below, options: { pace: 0 } });
  const fork = await inner.fork({ worktree: true });
  const directory = await directoryOf(fork);
  expect(directory).toMatch(/\/packages\/one$/);
  expect([read(directory, "code.txt"), read(directory, "new.txt")]).toEqual(["changed\n", "new\n"]);
  // What is outside the session's directory is as it was committed.
  expect(read(join(directory, "../.."), "README.md")).toBe("hello\n");
  expect(
    git(directory, "status", "--porcelain")
      .split("\n")
      .map((line) => line.trim()),
  ).toEqual(["M packages/one/code.txt", "?? packages/one/new.txt"]);
});

test("without checkpoints a worktree has the last commit, and the log says so", async () => {
  project.write("README.md", "changed\n");
  const plain = await client.sessions.create({
    agent: "mock",
    cwd: project.root,
    checkpoints: "off",
    options: { pace: 0 },
  });
  const fork = await plain.fork({ worktree: true });
  expect(read(await directoryOf(fork), "README.md")).toBe("hello\n");
  expect((await notices(fork)).join()).toContain("files of the last commit");
});

test("a worktree that cannot be is refused, and leaves no session and no branch", async () => {
  const empty = join(project.root, "empty");
  mkdirSync(empty);
  git(empty, "init", "-q");
  const count = async () => {
    let all = 0;
    for await (const _ of client.sessions.list()) all += 1;
    return all;
  };
  const refused = (promise: Promise<unknown>, detail: string) =>
    expect(promise).rejects.toMatchObject({
      code: "worktree_impossible",
      status: 422,
      message: expect.stringContaining(detail),
    });
  const commitless = await client.sessions.create({ agent: "mock", cwd: empty, options: { pace: 0 } });
  const plain = await client.sessions.create({ agent: "mock", cwd: plainDirectory(), options: { pace: 0 } });
  const sessions = await count();
  await refused(plain.fork({ worktree: true }), "is not in a git repository");
  await refused(commitless.fork({ worktree: true }), "has no commit yet");
  const path = process.env.PATH;
  try {
    process.env.PATH = empty;
    await refused(session.fork({ worktree: true }), "Git is not installed");
  } finally {
    process.env.PATH = path;
  }
  project.git("update-ref", "refs/heads/interlingua", "HEAD");
  await refused(session.fork({ worktree: true }), "Git could not make one");
  await expect(session.fork({ worktree: true, cwd: project.root })).rejects.toMatchObject({ status: 400 });
  await expect(session.fork({ worktree: true, before: "nobody" })).rejects.toMatchObject({
    code: "message_not_found",
  });
  expect(await count()).toBe(sessions);
  expect(git(project.root, "worktree", "list").split("\n")).toHaveLength(1);
});

test("a fork that shares the directory begins with a checkpoint of its own, and names the session of the others", async () => {
  await session.prompt("scenario:files").text();
  const fork = await session.fork();
  expect(filesIn(await directoryOf(fork))).toEqual(AFTER);
  const [earlier] = await session.checkpoints();
  await fork.prompt("scenario:text").text();
  expect((await fork.checkpoints()).map(({ kind }) => kind)).toEqual(["created", "before", "after"]);
  await expect(fork.restore({ checkpoint: earlier!.id })).rejects.toMatchObject({
    code: "checkpoint_not_found",
    message: expect.stringContaining(session.id),
  });
  // The files go back where they were changed.
  await session.restore({ checkpoint: earlier!.id });
  expect(project.files).toEqual(BEFORE);
});

test("the agent of a fork is told which files went back before it was made, where it has the files of now", async () => {
  const prompt = session.prompt("scenario:files");
  await prompt.text();
  await session.reset();
  const note = async (fork: Session) => {
    const prompt = fork.prompt("scenario:text");
    await prompt.text();
    const { events } = await fork.eventsPage({ limit: 1000 });
    const sent = events.find((event) => event.type === "prompt.dispatched" && event.message === prompt.id);
    return (sent as { note?: string }).note;
  };
  const told = expect.stringContaining("- mock-written.txt\n");
  const forks = [
    await session.fork(),
    await session.fork({ worktree: true }),
    await session.fork({ cwd: plainDirectory() }),
    await session.fork({ worktree: true, before: prompt.id }),
  ];
  const notes: unknown[] = [];
  for (const fork of forks) notes.push(await note(fork));
  expect(notes).toEqual([told, told, undefined, undefined]);
  expect(await note(forks[0]!)).toBeUndefined();
});

test("a fork of a session that may work outside the roots may work there too", async () => {
  const outside = join(project.root, "..", "outside");
  mkdirSync(outside);
  await stop();
  await start({ canAddRoots: true });
  new SessionRoots(project.data).allow("elsewhere", outside);
  const wanted = { agent: "mock", cwd: outside, options: { pace: 0 } };
  const elsewhere = await client.sessions.create({ id: "elsewhere", ...wanted });
  const fork = await elsewhere.fork();
  expect(await fork.prompt("scenario:text").text()).not.toBe("");
  await expect(client.sessions.create(wanted)).rejects.toMatchObject({ code: "outside_roots" });
  // A page opens nothing: no worktree either, in which every session may work.
  for (const body of [{ worktree: true }, { cwd: outside }, {}]) await expectRefusedToPage("elsewhere", body);
  // After a restart too, and lists say where it comes from.
  await stop();
  await start({ canAddRoots: true });
  expect(await (await client.sessions.get(fork.id)).prompt("scenario:text").text()).not.toBe("");
  const origins = new Map<string, unknown>();
  for await (const { id, forkedFrom } of client.sessions.list()) origins.set(id, forkedFrom);
  expect(origins.get(fork.id)).toEqual({ session: "elsewhere" });
  expect(origins.get("elsewhere")).toBeUndefined();
});

test("a fork outside the roots is refused", async () => {
  await expect(session.fork({ cwd: project.data })).rejects.toMatchObject({
    code: "outside_roots",
    status: 403,
  });
});

test("a fork in the directory of a session that is outside the roots by now is refused, and not only its prompts", async () => {
  const outside = join(project.root, "..", "outside");
  mkdirSync(outside);
  await stop();
  await start({}, [outside]);
  const old = await client.sessions.create({ agent: "mock", cwd: outside, options: { pace: 0 } });
  await stop();
  await start();
  const again = await client.sessions.get(old.id);
  for (const request of [{}, { worktree: true }, { cwd: outside }])
    await expect(again.fork(request)).rejects.toMatchObject({ code: "outside_roots", status: 403 });
  const { cwd } = await (await again.fork({ cwd: project.root })).details();
  expect(cwd).toBe(project.root);
  const all: string[] = [];
  for await (const { id } of client.sessions.list()) all.push(id);
  expect(all).toHaveLength(3);
});
