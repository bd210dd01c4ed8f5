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

/** A turn appends a line to it and to another file; then a person changes it, and changes the other. */
async function changeBoth(edit: (content: string) => string): Promise<string> {
  project.write("mock-written.txt", "one\ntwo\nthree\nfour\nfive\n");
  project.write("mock-by-shell.txt", "one\n");
  await session.prompt("scenario:files").text();
  const after = project.read("mock-written.txt")!;
  expect(after).toBe("one\ntwo\nthree\nfour\nfive\nline 6\n");
  project.write("mock-written.txt", edit(after));
  return (await session.checkpoints()).findLast(({ kind }) => kind === "before")!.id;
}

const MINE = (content: string) => content.replace("one\n", "mine\n");
const OVERLAPPING = (content: string) => content.replace("line 6\n", "my line 6\n");

test("a file that a person has changed since is named, and nothing is changed", async () => {
  const checkpoint = await changeBoth(MINE);
  await expect(session.restore({ checkpoint })).rejects.toMatchObject({
    code: "workspace_conflict",
    status: 409,
    paths: ["mock-written.txt"],
  });
  expect(project.read("mock-by-shell.txt")).toBe("one\nline 2\n");
});

test("keep: a file that a person has changed stays, the others go back", async () => {
  const checkpoint = await changeBoth(MINE);
  const restored = await session.restore({ checkpoint, onConflict: "keep" });
  expect(restored.restored.toSorted()).toEqual(["mock-by-shell.txt", "mock-removed.txt"]);
  expect(restored.kept).toEqual(["mock-written.txt"]);
  expect(project.read("mock-written.txt")).toBe("mine\ntwo\nthree\nfour\nfive\nline 6\n");
  expect(project.read("mock-by-shell.txt")).toBe("one\n");
});

test("merge: what the agent did goes out of the file, what the person did stays; and the other way round", async () => {
  const checkpoint = await changeBoth(MINE);
  const request = { checkpoint, onConflict: "merge" as const };
  const preview = await session.restore({ ...request, preview: true });
  const shown = preview.changes.find(({ path }) => path === "mock-written.txt")!;
  expect(shown).toMatchObject({ additions: 0, deletions: 1 });
  expect(shown.diff).toContain("-line 6");
  expect(shown.diff).not.toContain("-mine");
  const restored = await session.restore({ ...request, expect: preview.expect });
  expect(restored.restored).toContain("mock-written.txt");
  expect(restored.kept).toBeUndefined();
  expect(project.read("mock-written.txt")).toBe("mine\ntwo\nthree\nfour\nfive\n");
  expect(project.read("mock-by-shell.txt")).toBe("one\n");

  await session.restore({ checkpoint: restored.checkpoint! });
  expect(project.read("mock-written.txt")).toBe("mine\ntwo\nthree\nfour\nfive\nline 6\n");
});

test("merge: where the changes overlap it is refused, names the file, and changes nothing", async () => {
  const checkpoint = await changeBoth(OVERLAPPING);
  const request = { checkpoint, onConflict: "merge" as const };
  await expect(session.restore(request)).rejects.toMatchObject({
    code: "workspace_conflict",
    status: 409,
    paths: ["mock-written.txt"],
    message: expect.stringContaining("cannot be merged"),
  });
  expect(project.read("mock-written.txt")).toBe("one\ntwo\nthree\nfour\nfive\nmy line 6\n");
  expect(project.read("mock-by-shell.txt")).toBe("one\nline 2\n");
  const preview = await session.restore({ ...request, preview: true });
  expect(preview.conflicts).toEqual(["mock-written.txt"]);
  const rest = await session.restore({ ...request, paths: ["mock-by-shell.txt"] });
  expect(rest.restored).toEqual(["mock-by-shell.txt"]);
});

test("overwrite: a person's edit goes, and comes back from the checkpoint that was taken first", async () => {
  const checkpoint = await changeBoth(OVERLAPPING);
  const restored = await session.restore({ checkpoint, onConflict: "overwrite" });
  expect(project.read("mock-written.txt")).toBe("one\ntwo\nthree\nfour\nfive\n");
  await session.restore({ checkpoint: restored.checkpoint! });
  expect(project.read("mock-written.txt")).toBe("one\ntwo\nthree\nfour\nfive\nmy line 6\n");
  expect(project.read("mock-by-shell.txt")).toBe("one\nline 2\n");
});

test("approve moves the mark, and reset goes back to it", async () => {
  await session.prompt("scenario:files").text();
  expect(await session.approve()).toMatchObject({ changes: 3 });
  expect(await session.changes()).toEqual([]);
  await session.prompt("scenario:files").text();
  expect((await session.changes()).map(({ path }) => path)).toEqual([
    "mock-by-shell.txt",
    "mock-written.txt",
  ]);
  await session.reset();
  expect(project.files).toEqual(AFTER);
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
  expect((await log()).find(({ type }) => type === "restore.started")).toMatchObject({ rewound: "u2" });
  expect(project.files).toEqual(AFTER);
  expect((await session.messages()).messages.map(({ id }) => id)).not.toContain("u2");
  const recalled = await session.prompt("scenario:recall", { id: "u3" }).text();
  expect(recalled).toContain("scenario:files");
  // It knows nothing of what went back, so there is nothing to tell.
  const sent = (await log()).find((event) => event.type === "prompt.dispatched" && event.message === "u3");
  expect(sent).not.toHaveProperty("note");
});

test("a restore from a damaged checkpoint takes neither the files back nor the conversation", async () => {
  const content = "old\n".repeat(1000);
  project.write("mock-removed.txt", content);
  await session.prompt("scenario:files", { id: "u1" }).text();
  const first = (await session.checkpoints()).find(({ message }) => message === "u1")!;
  project.damageKept(content);
  const request = { checkpoint: first.id, conversation: true };
  await expect(session.restore(request)).rejects.toMatchObject({
    code: "workspace_failed",
    message: expect.stringContaining("damaged"),
  });
  const types = (await log()).map(({ type }) => type);
  expect(types).not.toContain("conversation.rewound");
  expect(types).not.toContain("restore.started");
  expect(project.files).toEqual(AFTER);
  expect((await session.messages()).messages.map(({ id }) => id)).toContain("u1");
  project.damageKept(content);
  expect(await session.restore(request)).toMatchObject({ rewound: "u1" });
  expect(project.read("mock-removed.txt")).toBe(content);
});

test("an agent that keeps its conversation is told with the next prompt which files went back", async () => {
  await session.prompt("scenario:files", { id: "u1" }).text();
  await session.reset();
  // A command of the agent has to stand first in its prompt.
  await session.prompt("/help", { id: "u2" }).text();
  await session.prompt("scenario:text", { id: "u3" }).text();
  await session.prompt("scenario:text", { id: "u4" }).text();
  const notes = (await log()).flatMap((event) =>
    event.type === "prompt.dispatched" ? [[event.message, event.note]] : [],
  );
  expect(notes.map(([message, note]) => [message, note !== undefined])).toEqual([
    ["u1", false],
    ["u2", false],
    ["u3", true],
    ["u4", false],
  ]);
  const [, , [, note]] = notes as [unknown, unknown, [string, string]];
  for (const name of ["mock-by-shell.txt", "mock-removed.txt", "mock-written.txt"])
    expect(note).toContain(`- ${name}\n`);
  const { raws } = await session.raw({ limit: 1000 });
  const sent = raws.filter(({ direction }) => direction === "out").map(({ data }) => JSON.stringify(data));
  expect(sent.filter((line) => line.includes("taken back to an earlier version"))).toHaveLength(1);
  // It is none of the person's words.
  expect(JSON.stringify(await session.message("u3"))).not.toContain("taken back");
});

test("the mock repeats the user's words after an undo, and none of the note before them", async () => {
  const say = (text: string) => session.prompt(text).text();
  for (const [prompt, answer] of [
    ["scenario:echo hello", /^scenario:echo hello$/],
    ["Please tidy up", /You said: \*Please tidy up\*/],
    ["scenario:recall", /^Earlier prompts:\n1\. scenario:files\n2\. scenario:echo hello\n3\. scen/],
  ] as const) {
    await say("scenario:files");
    await session.reset();
    // The demo asks before it writes.
    await session.update({ permissionMode: "bypass" });
    expect(await say(prompt)).toMatch(answer);
    const sent = (await log()).findLast((event) => event.type === "prompt.dispatched");
    expect(sent).toMatchObject({ note: expect.stringContaining("taken back") });
  }
  const recalled = await say("scenario:recall");
  expect(recalled).toContain("Please tidy up");
  expect(recalled).not.toContain("taken back");
});

test("bad requests name the field", async () => {
  const [first] = await session.checkpoints();
  const checkpoint = first?.id ?? "none";
  await expect(session.restore({ checkpoint, files: false })).rejects.toMatchObject({
    code: "invalid_request",
    errors: [{ path: "files" }],
  });
  for (const path of ["/", "..", `${project.root}-other`])
    await expect(session.restore({ checkpoint, paths: [path] })).rejects.toMatchObject({
      code: "invalid_request",
      status: 400,
      errors: [{ path: "paths.0" }],
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
  const other = await client.sessions.create({ agent: "mock", cwd: project.root, options: { pace: 0 } });
  await other.prompt("scenario:text").text();
  const { workspaces } = await client.workspaces.usage();
  expect(workspaces).toMatchObject([{ directory: project.root, checkpoints: 6 }]);
  await session.delete();
  await expect(session.checkpoints()).rejects.toMatchObject({ code: "session_not_found" });
  expect((await client.workspaces.usage()).workspaces).toMatchObject([{ checkpoints: 3 }]);
  expect(project.files).toEqual(AFTER);
  await other.delete();
  expect(await client.workspaces.usage()).toEqual({ bytes: 0, workspaces: [] });
});
