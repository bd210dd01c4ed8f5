/** Undo with the real git, through the SDK: what an agent changed by tools and in a shell goes back. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkLog } from "../../src/core/check-log.ts";
import type { SessionEvent } from "../../src/core/event.ts";
import { type Daemon, startDaemon } from "../../src/daemon.ts";
import { Interlingua, type Session } from "../../src/sdk/index.ts";
import { AFTER, BEFORE, Project } from "./project.ts";

let project: Project;
let daemon: Daemon;
let client: Interlingua;
let session: Session;

beforeEach(async () => {
  project = new Project();
  const { data, root } = project;
  daemon = await startDaemon({ port: 0, data, roots: [root], checkpoints: "on" });
  client = await Interlingua.connect({ baseUrl: daemon.url, token: daemon.token });
  session = await client.sessions.create({ agent: "mock", cwd: root, options: { pace: 0 } });
});

afterEach(async () => {
  await client.dispose();
  await daemon.close();
  project[Symbol.dispose]();
});

async function log(): Promise<SessionEvent[]> {
  return (await session.eventsPage({ limit: 1000 })).events as SessionEvent[];
}

test("what a turn changed is told, listed, undone and done again", async () => {
  const state = () => [
    project.git("status", "--porcelain=v2", "-uall"),
    project.git("log", "-1"),
    project.git("stash", "list"),
  ];
  const before = state();
  const prompt = session.prompt("scenario:files");
  await prompt.text();
  expect(project.files).toEqual(AFTER);

  const edits = (await log()).filter((event) => event.type === "file.edited");
  expect(
    edits.map(({ path, kind, raw }) => [path.slice(project.root.length + 1), kind, raw !== undefined]),
  ).toEqual([
    ["mock-written.txt", "created", true],
    ["mock-by-shell.txt", "created", false],
    ["mock-removed.txt", "deleted", false],
  ]);
  expect(edits[2]?.diff).toContain("-old");

  const checkpoints = await session.checkpoints();
  expect(checkpoints.map(({ kind }) => kind)).toEqual(["created", "before", "after"]);
  const [, taken] = checkpoints;
  expect(taken).toMatchObject({ id: expect.stringMatching(/^[0-9a-f]{40}$/), message: prompt.id });
  expect((await session.message(prompt.id)).metadata.checkpoint).toBe(taken?.id);

  const changes = await session.changes({ turn: taken!.turn, include: "base" });
  expect(changes.map(({ path, status, base }) => [path, status, base])).toEqual([
    ["mock-by-shell.txt", "added", undefined],
    ["mock-removed.txt", "deleted", "old\n"],
    ["mock-written.txt", "added", undefined],
  ]);

  const restored = await session.restore({ checkpoint: taken!.id });
  expect(restored.restored.toSorted()).toEqual(["mock-by-shell.txt", "mock-removed.txt", "mock-written.txt"]);
  expect(project.files).toEqual(BEFORE);
  expect(state()).toEqual(before);
  expect(await session.changes()).toEqual([]);

  await session.restore({ checkpoint: restored.checkpoint! });
  expect(project.files).toEqual(AFTER);
  expect(checkLog(await log(), { complete: true })).toEqual([]);
});

test("a file that a person has changed since is named, and kept or merged as asked", async () => {
  await session.prompt("scenario:files").text();
  await session.approve();
  await session.prompt("scenario:files").text();
  project.write("mock-by-shell.txt", "line 1\nmine\n");
  const [checkpoint] = (await session.checkpoints()).filter(({ kind }) => kind === "approved");
  await expect(session.restore({ checkpoint: checkpoint!.id })).rejects.toMatchObject({
    code: "workspace_conflict",
    status: 409,
    paths: ["mock-by-shell.txt"],
  });
  expect(project.read("mock-written.txt")).toBe("line 1\nline 2\n");
  const restored = await session.reset({ onConflict: "keep" });
  expect(restored).toMatchObject({ restored: ["mock-written.txt"], kept: ["mock-by-shell.txt"] });
  expect(project.read("mock-by-shell.txt")).toBe("line 1\nmine\n");
  expect(project.read("mock-written.txt")).toBe("line 1\n");
});

test("a preview changes nothing, and holds only as long as nothing changes", async () => {
  await session.prompt("scenario:files").text();
  const preview = await session.reset({ preview: true });
  expect(preview.restored).toHaveLength(3);
  expect(project.files).toEqual(AFTER);
  project.write("mock-written.txt", "mine\n");
  await expect(session.reset({ expect: preview.expect, onConflict: "keep" })).rejects.toMatchObject({
    code: "workspace_conflict",
  });
  project.write("mock-written.txt", "line 1\n");
  await session.reset({ expect: preview.expect });
  expect(project.files).toEqual(BEFORE);
});

test("the conversation goes back with the files", async () => {
  await session.prompt("scenario:files", { id: "u1" }).text();
  await session.prompt("scenario:files", { id: "u2" }).text();
  const second = (await session.checkpoints()).find(({ message }) => message === "u2");
  const restored = await session.restore({ checkpoint: second!.id, conversation: true });
  expect(restored.rewound).toBe("u2");
  expect(project.files).toEqual(AFTER);
  expect((await session.messages()).messages.map(({ id }) => id)).not.toContain("u2");
  const recalled = await session.prompt("scenario:recall").text();
  expect(recalled).toContain("scenario:files");
});

test("bad requests name the field", async () => {
  const [first] = await session.checkpoints();
  const checkpoint = first?.id ?? "none";
  await expect(session.restore({ checkpoint, files: false })).rejects.toMatchObject({
    code: "invalid_request",
    errors: [{ path: "files" }],
  });
  await expect(session.changes({ turn: "t1", since: checkpoint })).rejects.toMatchObject({
    code: "invalid_request",
    errors: [{ path: "since" }],
  });
  await expect(session.restore({ checkpoint: "0".repeat(40) })).rejects.toMatchObject({
    code: "checkpoint_not_found",
    status: 404,
  });
});

test("deleting the session deletes its checkpoints", async () => {
  await session.prompt("scenario:files").text();
  await session.delete();
  await expect(session.checkpoints()).rejects.toMatchObject({ code: "session_not_found" });
  expect(project.files).toEqual(AFTER);
});
