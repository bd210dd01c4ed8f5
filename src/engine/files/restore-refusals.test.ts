/** Restores and approvals that are refused, or of which a part fails: what is told, and what is left. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TESTER } from "../../testkit/tester.ts";
import { beginRestore, expectWhole, gateOf, openChanged, type Project } from "./restoring.test-support.ts";

const broken = () => Promise.reject(new Error("ENOENT: no such file or directory, open 'lock.db'"));

/** The session is closed while the checkpoint of the approval is taken. */
async function approveWhileClosing({ engine, workspace }: Project) {
  const { open, reached } = gateOf(workspace, "onCapture");
  const approving = engine.run("approve", { session: "s" }, TESTER);
  approving.catch(() => {});
  await reached;
  const closing = engine.run("updateSession", { session: "s", status: "closed" }, TESTER);
  open();
  await closing;
  return await approving;
}

describe("a checkpoint that cannot be discarded", () => {
  it("does not hide that the session was deleted during the restore", async () => {
    const project = await openChanged();
    const { restoring, open } = await beginRestore(project, "onCapture");
    project.workspace.discard = broken;
    const deleting = project.engine.run("deleteSession", { session: "s" }, TESTER);
    open();
    await deleting;
    await expect(restoring).rejects.toMatchObject({ code: "session_not_found" });
    expect(project.read("a.txt")).toBe("two");
  });

  it("does not hide the conflict that a restore is refused for", async () => {
    const { engine, workspace, write, latest } = await openChanged();
    write("a.txt", "mine");
    workspace.discard = broken;
    await expect(
      engine.run("restore", { session: "s", checkpoint: await latest("before") }, TESTER),
    ).rejects.toMatchObject({
      code: "workspace_conflict",
      extras: { paths: ["a.txt"] },
    });
  });

  it("does not make a preview fail, nor hide why it does", async () => {
    const { engine, workspace, latest } = await openChanged();
    const request = { checkpoint: await latest("before"), preview: true };
    workspace.discard = broken;
    expect(await engine.run("restore", { session: "s", ...request }, TESTER)).toMatchObject({
      restored: ["a.txt"],
    });
    workspace.comparePlan = () => Promise.reject(new Error("git has died"));
    await expect(engine.run("restore", { session: "s", ...request }, TESTER)).rejects.toMatchObject({
      code: "workspace_failed",
      message: expect.stringContaining("git has died"),
    });
  });

  it("does not hide that the session was closed during an approval", async () => {
    const project = await openChanged();
    project.workspace.discard = broken;
    await expect(approveWhileClosing(project)).rejects.toMatchObject({ code: "session_closed" });
  });
});

describe("an approval", () => {
  it("whose checkpoint is cut off by the end of the session says that the session is closed", async () => {
    const project = await openChanged();
    const take = project.workspace.capture.bind(project.workspace);
    project.workspace.capture = async (request) => {
      await take(request);
      throw new Error("aborted");
    };
    await expect(approveWhileClosing(project)).rejects.toMatchObject({ code: "session_closed" });
  });

  it("that is refused leaves the one before it kept", async () => {
    const project = await openChanged();
    const { checkpoint } = await project.engine.run("approve", { session: "s" }, TESTER);
    await expect(approveWhileClosing(project)).rejects.toMatchObject({ code: "session_closed" });
    expect(project.workspace.kept).toEqual([checkpoint]);
  });

  it("whose checkpoint cannot be kept stands all the same", async () => {
    const { engine, workspace, events } = await openChanged();
    workspace.keep = broken;
    const { checkpoint } = await engine.run("approve", { session: "s" }, TESTER);
    expect((await events()).at(-1)).toMatchObject({
      type: "checkpoint.created",
      kind: "approved",
      checkpoint,
    });
    expect((await engine.run("listChanges", { session: "s" }, TESTER)).changes).toEqual([]);
  });

  it("is possible although the checkpoint of the one before was dropped, and counts what is known", async () => {
    const { engine, workspace, turn, write } = await openChanged();
    const { checkpoint } = await engine.run("approve", { session: "s" }, TESTER);
    await turn(() => write("b.txt", "one"));
    workspace.copies.delete(checkpoint);
    await expect(engine.run("reset", { session: "s" }, TESTER)).rejects.toMatchObject({
      code: "checkpoint_not_found",
      message: expect.stringContaining("What is pending begins anew with an approval."),
    });
    expect(await engine.run("approve", { session: "s" }, TESTER)).toMatchObject({ changes: 1 });
    expect((await engine.run("listChanges", { session: "s" }, TESTER)).changes).toEqual([]);
    await turn(() => write("b.txt", "two"));
    expect(await engine.run("reset", { session: "s" }, TESTER)).toMatchObject({ restored: ["b.txt"] });
    workspace.copies.clear();
    expect(await engine.run("approve", { session: "s" }, TESTER)).toMatchObject({ changes: 0 });
    expect(await engine.run("reset", { session: "s" }, TESTER)).toMatchObject({ restored: [] });
  });
});

describe("a restore whose changes cannot be shown", () => {
  it("is no failure: everything went back", async () => {
    const project = await openChanged();
    project.workspace.compare = () => Promise.reject(new Error("git has died"));
    const checkpoint = await project.latest("before");
    expect(await project.engine.run("restore", { session: "s", checkpoint }, TESTER)).toMatchObject({
      restored: ["a.txt"],
      checkpoint: expect.any(String),
      changes: [],
    });
    expect(project.read("a.txt")).toBe("one");
    await expectWhole(project);
  });
});

describe("paths of a restore", () => {
  it("mean the same however they are written", async () => {
    const { engine, cwd, write, latest } = await openChanged();
    write("mine.txt", "mine");
    const checkpoint = await latest("before");
    for (const path of [
      "a.txt",
      "./a.txt",
      "x/../a.txt",
      "a.txt/",
      ".",
      "./",
      cwd,
      `${cwd}/`,
      join(cwd, "a.txt"),
    ])
      expect({
        path,
        ...(await engine.run("restore", { session: "s", checkpoint, paths: [path], preview: true }, TESTER)),
      }).toMatchObject({ path, restored: ["a.txt"] });
    expect(await engine.run("restore", { session: "s", checkpoint, paths: ["b.txt"] }, TESTER)).toMatchObject(
      {
        restored: [],
      },
    );
  });

  it("outside the session's directory are refused by name, and do not mean everything", async () => {
    const { engine, cwd, latest, read } = await openChanged();
    const checkpoint = await latest("before");
    for (const path of ["/", "..", "../a.txt", `${cwd}-other/a.txt`, ""])
      await expect(
        engine.run("restore", { session: "s", checkpoint, paths: ["a.txt", path] }, TESTER),
      ).rejects.toMatchObject({
        code: "invalid_request",
        extras: { errors: [{ path: "paths.1" }] },
      });
    expect(read("a.txt")).toBe("two");
  });

  it("that match nothing do not take the conversation back alone", async () => {
    const { engine, latest, read, events } = await openChanged();
    const request = { checkpoint: await latest("before"), paths: ["a.tx"], conversation: true };
    for (const preview of [true, false])
      await expect(
        engine.run("restore", { session: "s", ...request, preview }, TESTER),
      ).rejects.toMatchObject({
        code: "invalid_request",
        extras: { errors: [{ path: "paths" }] },
      });
    expect((await events()).some(({ type }) => type === "conversation.rewound")).toBe(false);
    await engine.run("restore", { session: "s", ...request, paths: ["a.txt"] }, TESTER);
    expect(read("a.txt")).toBe("one");
    expect((await events()).some(({ type }) => type === "conversation.rewound")).toBe(true);
  });
});
