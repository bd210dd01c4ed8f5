/** Going back: restore, approve and reset, and what is left of a restore when the daemon dies. */
import { mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import { ScriptedAdapter } from "../../testkit/scripted-adapter.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { create, text } from "../engine.test-support.ts";
import { openProject } from "./project.test-support.ts";

/** The texts of the last prompt that the agent got. */
function heard(adapter: ScriptedAdapter): string[] {
  const prompt = adapter.last.commands.findLast((command) => command.type === "prompt");
  return (prompt?.parts ?? []).flatMap((part) => (part.type === "text" ? part.text : []));
}

describe("restore", () => {
  it("undoes what turns changed and leaves everything else, and is undone itself", async () => {
    const { engine, cwd, write, read, turn, latest, events } = await openProject();
    write("a.txt", "one");
    await create(engine, "s", { cwd });
    await turn(() => {
      write("a.txt", "two");
      write("new.txt", "x");
    });
    write("mine.txt", "mine");
    const before = await latest("before");
    const answer = await engine.run("restore", { session: "s", checkpoint: before }, TESTER);
    expect(answer).toMatchObject({
      restored: ["a.txt", "new.txt"],
      changes: [{ path: "a.txt" }, { path: "new.txt" }],
    });
    expect([read("a.txt"), read("new.txt"), read("mine.txt")]).toEqual(["one", undefined, "mine"]);
    expect((await engine.run("listChanges", { session: "s", since: before }, TESTER)).changes).toEqual([]);

    await engine.run("restore", { session: "s", checkpoint: answer.checkpoint! }, TESTER);
    expect([read("a.txt"), read("new.txt"), read("mine.txt")]).toEqual(["two", "x", "mine"]);

    await turn(() => write("a.txt", "three"));
    await engine.run("restore", { session: "s", checkpoint: before }, TESTER);
    expect([read("a.txt"), read("new.txt")]).toEqual(["one", undefined]);
    expect(checkLog(await events(), { complete: true })).toEqual([]);
  });

  it("refuses where somebody else has changed a file since, and says which", async () => {
    const { engine, cwd, write, read, turn, latest } = await openProject();
    write("a.txt", "one");
    write("b.txt", "one");
    await create(engine, "s", { cwd });
    await turn(() => {
      write("a.txt", "two");
      write("b.txt", "two");
    });
    write("a.txt", "mine");
    const checkpoint = await latest("before");
    await expect(engine.run("restore", { session: "s", checkpoint }, TESTER)).rejects.toMatchObject({
      code: "workspace_conflict",
      extras: { paths: ["a.txt"] },
    });
    expect([read("a.txt"), read("b.txt")]).toEqual(["mine", "two"]);
    expect(
      await engine.run("restore", { session: "s", checkpoint, onConflict: "keep" }, TESTER),
    ).toMatchObject({
      restored: ["b.txt"],
      kept: ["a.txt"],
    });
    expect([read("a.txt"), read("b.txt")]).toEqual(["mine", "one"]);
    await engine.run("restore", { session: "s", checkpoint, onConflict: "overwrite" }, TESTER);
    expect(read("a.txt")).toBe("one");
  });

  it("shows first what it would do, and refuses if that has changed since", async () => {
    const { engine, cwd, write, read, turn, latest } = await openProject();
    write("a.txt", "one");
    await create(engine, "s", { cwd });
    await turn(() => write("a.txt", "two"));
    const checkpoint = await latest("before");
    const preview = await engine.run("restore", { session: "s", checkpoint, preview: true }, TESTER);
    expect(preview).toMatchObject({
      restored: ["a.txt"],
      changes: [{ path: "a.txt" }],
      expect: expect.any(String),
    });
    expect(read("a.txt")).toBe("two");
    write("a.txt", "mine");
    const request = { checkpoint, expect: preview.expect, onConflict: "overwrite" as const };
    await expect(engine.run("restore", { session: "s", ...request }, TESTER)).rejects.toMatchObject({
      code: "workspace_conflict",
    });
    expect(await engine.run("restore", { session: "s", checkpoint, preview: true }, TESTER)).toMatchObject({
      restored: [],
      conflicts: ["a.txt"],
    });
    write("a.txt", "two");
    await engine.run("restore", { session: "s", checkpoint, expect: preview.expect }, TESTER);
    expect(read("a.txt")).toBe("one");
  });

  it("takes only the paths that were named", async () => {
    const { engine, cwd, write, read, turn, latest } = await openProject();
    mkdirSync(join(cwd, "sub"));
    await create(engine, "s", { cwd });
    await turn(() => {
      write("a.txt", "x");
      write("sub/b.txt", "x");
    });
    const to = await latest("before");
    await engine.run("restore", { session: "s", checkpoint: to, paths: ["sub"] }, TESTER);
    expect([read("a.txt"), read("sub/b.txt")]).toEqual(["x", undefined]);
    const taken = (await engine.run("listCheckpoints", { session: "s" }, TESTER)).checkpoints.find(
      ({ kind }) => kind === "restore",
    );
    expect(taken?.restored).toEqual({ to, files: 1, paths: ["sub/b.txt"], by: TESTER.name });
  });

  it("waits for nobody: it is refused while an agent works in, above or below the directory", async () => {
    const { engine, cwd, write, begin, end, turn, latest } = await openProject();
    mkdirSync(join(cwd, "sub"));
    await create(engine, "s", { cwd });
    await create(engine, "below", { cwd: join(cwd, "sub"), title: "Tidy up" });
    await turn(() => write("a.txt", "x"));
    const checkpoint = await latest("before");
    await begin("below");
    await expect(engine.run("restore", { session: "s", checkpoint }, TESTER)).rejects.toMatchObject({
      code: "workspace_busy",
      extras: { session: { id: "below", title: "Tidy up" } },
    });
    await expect(engine.run("restore", { session: "s", checkpoint: "none" }, TESTER)).rejects.toMatchObject({
      code: "checkpoint_not_found",
    });
    // It changes no file.
    await engine.run("approve", { session: "s" }, TESTER);
    await end("below");
    await engine.run("restore", { session: "s", checkpoint }, TESTER);
  });

  it("an approval in the middle of a turn leaves the rest of it pending, and the whole can still be undone", async () => {
    const { engine, cwd, write, read, begin, end, latest } = await openProject();
    await create(engine, "s", { cwd });
    await begin();
    write("a.txt", "first");
    const { checkpoint } = await engine.run("approve", { session: "s" }, TESTER);
    write("a.txt", "second");
    write("b.txt", "second");
    await end();
    const pending = (await engine.run("listChanges", { session: "s" }, TESTER)).changes;
    expect(pending.map(({ path }) => path)).toEqual(["a.txt", "b.txt"]);
    const turn = (await engine.run("listCheckpoints", { session: "s" }, TESTER)).checkpoints.find(
      ({ kind }) => kind === "after",
    )?.turn;
    expect((await engine.run("listChanges", { session: "s", turn }, TESTER)).changes).toHaveLength(2);
    const before = await latest("before");
    await engine.run("reset", { session: "s" }, TESTER);
    expect([read("a.txt"), read("b.txt")]).toEqual(["first", undefined]);
    expect(checkpoint).not.toBe(before);
    await engine.run("restore", { session: "s", checkpoint: before }, TESTER);
    expect(read("a.txt")).toBeUndefined();
  });

  it("a reset of a session in which nothing was done has nothing to take back, and is no error", async () => {
    const { engine, cwd, write, read } = await openProject();
    write("a.txt", "mine");
    await create(engine, "s", { cwd });
    expect((await engine.run("reset", { session: "s" }, TESTER)).restored).toEqual([]);
    expect(read("a.txt")).toBe("mine");
  });

  it("holds up prompts of every session there until it has ended", async () => {
    const { engine, cwd, write, turn, latest, workspace, adapter, events } = await openProject();
    await create(engine, "s", { cwd });
    await create(engine, "other", { cwd });
    await turn(() => write("a.txt", "x"));
    const gate = Promise.withResolvers<void>();
    let isWriting = false;
    workspace.onApply = () => {
      isWriting = true;
      return gate.promise;
    };
    const restoring = engine.run("restore", { session: "s", checkpoint: await latest("before") }, TESTER);
    await until(() => isWriting);
    for (const session of ["s", "other"])
      await engine.run("prompt", { session, parts: text("now"), whenBusy: "queue" }, TESTER);
    expect((await engine.run("getSession", { session: "other" }, TESTER)).queued).toBe(1);
    gate.resolve();
    await restoring;
    await until(() =>
      adapter.sessions.every(({ commands }) => commands.some(({ type }) => type === "prompt")),
    );
    expect(checkLog(await events())).toEqual([]);
  });

  it("takes the conversation back too, before the files", async () => {
    const { engine, cwd, write, turn, store, events } = await openProject();
    await create(engine, "s", { cwd });
    await turn(() => write("a.txt", "x"), "s", "u1");
    await turn(() => write("b.txt", "x"), "s", "u2");
    const [, , checkpoint] = (
      await engine.run("listCheckpoints", { session: "s" }, TESTER)
    ).checkpoints.filter(({ kind }) => kind !== "created");
    expect(checkpoint).toMatchObject({ kind: "before", message: "u2" });
    const answer = await engine.run(
      "restore",
      { session: "s", checkpoint: checkpoint!.id, conversation: true },
      TESTER,
    );
    expect(answer).toMatchObject({ rewound: "u2", restored: ["b.txt"] });
    expect((await store.listMessages("s", { limit: 10 })).messages.map(({ id }) => id)).toContain("u1");
    expect((await store.getMessage("s", "u2"))?.rewoundAt).toBeDefined();
    const types = (await events()).map(({ type }) => type);
    expect(types.indexOf("conversation.rewound")).toBeLessThan(types.indexOf("restore.started"));
  });

  it("begins a new conversation of an agent that cannot forget, with an account of what is left", async () => {
    const { engine, cwd, write, turn, adapter } = await openProject({
      adapter: new ScriptedAdapter({ rewind: false }),
    });
    await create(engine, "s", { cwd });
    await turn(() => write("a.txt", "x"), "s", "u1");
    await turn(() => write("b.txt", "x"), "s", "u2");
    const checkpoint = (await engine.run("listCheckpoints", { session: "s" }, TESTER)).checkpoints.find(
      ({ message }) => message === "u2",
    )!.id;
    await engine.run("restore", { session: "s", checkpoint, conversation: true }, TESTER);
    await turn(() => {}, "s", "u3");
    expect(adapter.sessions).toHaveLength(2);
    const texts = heard(adapter);
    expect(texts).toHaveLength(2);
    expect(texts[0]).toContain("Account of the conversation so far");
    expect(texts[0]!.match(/User: go/g)).toHaveLength(1);
    expect(texts[1]).toBe("go");
  });

  it("is told to an agent that remembers, and again if the turn failed before it said anything", async () => {
    const { engine, cwd, write, turn, begin, end, latest, adapter, events } = await openProject();
    await create(engine, "s", { cwd });
    await turn(() => {
      write("a.txt", "x");
      write("b.txt", "x");
    });
    const before = await latest("before");
    await engine.run("restore", { session: "s", checkpoint: before, paths: ["a.txt"] }, TESTER);
    await engine.run("restore", { session: "s", checkpoint: before, paths: ["b.txt"] }, TESTER);
    await begin();
    expect(heard(adapter)[0]).toMatch(
      /^\[Note: these files .*\]\n- a\.txt\n- b\.txt\n\[End of the note\.\]$/s,
    );
    adapter.last.die(1);
    await until(async () => (await engine.run("getSession", { session: "s" }, TESTER)).status === "failed");
    await begin();
    expect(heard(adapter)).toHaveLength(2);
    adapter.last.say({ type: "text.delta", part: "p", delta: "I see." });
    await end();
    await begin();
    expect(heard(adapter)).toEqual(["go"]);
    await end();
    expect(checkLog(await events(), { complete: true })).toEqual([]);
  });

  it("of an unknown checkpoint says so", async () => {
    const { engine, cwd } = await openProject();
    await create(engine, "s", { cwd });
    await expect(engine.run("restore", { session: "s", checkpoint: "?" }, TESTER)).rejects.toMatchObject({
      code: "checkpoint_not_found",
    });
    await expect(
      engine.run("listChanges", { session: "s", since: "?" }, TESTER).then(({ changes }) => changes),
    ).rejects.toMatchObject({ code: "checkpoint_not_found" });
    await expect(
      engine.run("listChanges", { session: "s", turn: "?" }, TESTER).then(({ changes }) => changes),
    ).rejects.toMatchObject({ code: "checkpoint_not_found" });
  });

  it("that fails half way ends in the log, and the session goes on", async () => {
    const { engine, cwd, write, turn, latest, workspace, events } = await openProject();
    await create(engine, "s", { cwd });
    await turn(() => write("a.txt", "x"));
    workspace.onApply = () => Promise.reject(new Error("read-only file system"));
    const restoring = engine.run("restore", { session: "s", checkpoint: await latest("before") }, TESTER);
    await expect(restoring).rejects.toMatchObject({ code: "workspace_failed" });
    expect((await events()).at(-1)).toMatchObject({
      type: "checkpoint.restored",
      error: "read-only file system",
    });
    workspace.onApply = undefined;
    await turn(() => {});
    expect(checkLog(await events())).toEqual([]);
  });
});

describe("two sessions at work in one directory", () => {
  it("undo in one leaves alone what the other's agent changed, and asks about what either may have", async () => {
    const { engine, cwd, write, read, begin, end, latest, adapter, events } = await openProject();
    await create(engine, "s", { cwd });
    await create(engine, "other", { cwd });
    await begin("s");
    await begin("other");
    for (const name of ["ours.txt", "theirs.txt", "unsaid.txt"]) write(name, "x");
    const say = (session: string, name: string) =>
      adapter.sessions
        .find(({ sessionId }) => sessionId === session)
        ?.say({ type: "file.edited", path: join(cwd, name), kind: "created" });
    say("s", "ours.txt");
    say("other", "theirs.txt");
    for (const session of ["s", "other"])
      await until(async () => (await events(session)).some(({ type }) => type === "file.edited"));
    await end("other");
    await end("s");
    const checkpoint = await latest("before");
    expect(
      (await engine.run("listChanges", { session: "s" }, TESTER)).changes.map(({ path }) => path),
    ).toEqual(["ours.txt", "unsaid.txt"]);
    await expect(engine.run("restore", { session: "s", checkpoint }, TESTER)).rejects.toMatchObject({
      code: "workspace_conflict",
      extras: { paths: ["unsaid.txt"] },
    });
    await engine.run("restore", { session: "s", checkpoint, onConflict: "keep" }, TESTER);
    expect(["ours.txt", "theirs.txt", "unsaid.txt"].map(read)).toEqual([undefined, "x", "x"]);
  });
});

describe("a turn that the agent begins by itself", () => {
  it("does not make what a person changed since the last turn the agent's", async () => {
    const { engine, cwd, write, read, turn, end, latest, adapter, events } = await openProject();
    for (const name of ["notes.txt", "agents.txt"]) write(name, "one");
    await create(engine, "s", { cwd });
    await turn(() => {});
    const checkpoint = await latest("after");
    write("notes.txt", "mine");
    const { ctimeMs } = statSync(join(cwd, "notes.txt"));
    await until(() => Date.now() > ctimeMs + 100);
    adapter.last.say({ type: "turn.started", cause: "task", text: "It went on." });
    await until(async () => (await engine.run("getSession", { session: "s" }, TESTER)).status === "running");
    write("agents.txt", "two");
    const path = join(cwd, "agents.txt");
    adapter.last.say({ type: "file.edited", path, kind: "changed" });
    await end();
    const edits = (await events()).filter((event) => event.type === "file.edited");
    expect(edits.map((event) => event.path)).toEqual([path]);
    await expect(engine.run("restore", { session: "s", checkpoint }, TESTER)).rejects.toMatchObject({
      code: "workspace_conflict",
      extras: { paths: ["notes.txt"] },
    });
    await engine.run("restore", { session: "s", checkpoint, onConflict: "keep" }, TESTER);
    expect([read("notes.txt"), read("agents.txt")]).toEqual(["mine", "one"]);
  });
});

describe("more files of a person's than an event names", () => {
  it("are conflicts all the same, and the event stays small", async () => {
    const { engine, cwd, write, read, turn, end, latest, adapter, events } = await openProject();
    await create(engine, "s", { cwd });
    await turn(() => {});
    const checkpoint = await latest("after");
    const names = Array.from({ length: 1001 }, (_, index) => `mine-${index}.txt`);
    for (const name of names) write(name, "mine");
    adapter.last.say({ type: "turn.started", cause: "task", text: "It went on." });
    await until(async () => (await engine.run("getSession", { session: "s" }, TESTER)).status === "running");
    await end();
    const created = (await events()).filter((event) => event.type === "checkpoint.created").at(-1);
    expect(created).toMatchObject({ kind: "after", allMixed: true });
    expect(created).not.toHaveProperty("mixed");
    await expect(engine.run("restore", { session: "s", checkpoint }, TESTER)).rejects.toMatchObject({
      code: "workspace_conflict",
      extras: { paths: names.toSorted() },
    });
    const answer = await engine.run("restore", { session: "s", checkpoint, onConflict: "keep" }, TESTER);
    expect(answer.kept).toHaveLength(names.length);
    const started = (await events()).find((event) => event.type === "restore.started");
    expect(started?.kept).toHaveLength(100);
    expect(names.map(read)).toEqual(names.map(() => "mine"));
  });
});

describe("a checkpoint that comes after the end of its turn", () => {
  it("does not make another agent's files the turn's", async () => {
    const { engine, cwd, write, read, begin, end, latest, adapter, events, workspace } = await openProject({
      limits: { checkpointTimeoutMs: 200 },
    });
    await create(engine, "s", { cwd });
    await create(engine, "other", { cwd });
    await begin("s");
    await begin("other");
    for (const name of ["ours.txt", "theirs.txt"]) write(name, "x");
    for (const [session, name] of [
      ["s", "ours.txt"],
      ["other", "theirs.txt"],
    ] as const) {
      const draft = { type: "file.edited", path: join(cwd, name), kind: "created" } as const;
      adapter.sessions.find(({ sessionId }) => sessionId === session)?.say(draft);
      await until(async () => (await events(session)).some(({ type }) => type === "file.edited"));
    }
    await end("other");
    const gate = Promise.withResolvers<void>();
    workspace.onCapture = () => gate.promise;
    await end("s");
    gate.resolve();
    await until(async () => (await events("s")).some((event) => "endOf" in event));
    await engine.run("restore", { session: "s", checkpoint: await latest("before") }, TESTER);
    expect(["ours.txt", "theirs.txt"].map(read)).toEqual([undefined, "x"]);
  });

  it("does not make what a person changed until the next start the turn's", async () => {
    const first = await openProject({ isKilled: true });
    first.write("mine.txt", "one");
    first.write("agents.txt", "one");
    await create(first.engine, "s", { cwd: first.cwd });
    await first.begin();
    first.write("agents.txt", "two");
    const path = join(first.cwd, "agents.txt");
    first.adapter.last.say({ type: "file.edited", path, kind: "changed" });
    const said = async () => (await first.events()).find(({ type }) => type === "file.edited")?.at;
    await until(async () => (await said()) !== undefined);
    const at = (await said())!;
    // The clock of a file system is a little behind.
    await until(() => {
      first.write("mine.txt", "two");
      return statSync(join(first.cwd, "mine.txt")).ctimeMs >= at + 1;
    });

    const second = await openProject({ store: first.store, workspace: first.workspace, cwd: first.cwd });
    await until(async () => (await second.events()).some((event) => "endOf" in event));
    const checkpoint = await second.latest("before");
    await expect(second.engine.run("restore", { session: "s", checkpoint }, TESTER)).rejects.toMatchObject({
      code: "workspace_conflict",
      extras: { paths: ["mine.txt"] },
    });
    await second.engine.run("restore", { session: "s", checkpoint, onConflict: "keep" }, TESTER);
    expect([first.read("mine.txt"), first.read("agents.txt")]).toEqual(["two", "one"]);
  });
});

describe("approve and reset", () => {
  it("diffs are made only for files of an answer, however many turns there were, and none for an approval", async () => {
    const { engine, cwd, write, turn, workspace } = await openProject();
    await create(engine, "s", { cwd });
    await turn(() => {
      write("gone.txt", "for a while");
      write("left.txt", "one");
    });
    write("mine.txt", "mine");
    await turn(() => {
      rmSync(join(cwd, "gone.txt"));
      write("left.txt", "two");
    });
    workspace.compared.length = 0;
    expect(
      (await engine.run("listChanges", { session: "s" }, TESTER)).changes.map(({ path }) => path),
    ).toEqual(["left.txt"]);
    expect(workspace.compared).toEqual([["left.txt"]]);
    expect(await engine.run("approve", { session: "s" }, TESTER)).toMatchObject({ changes: 1 });
    expect(workspace.compared).toHaveLength(1);
  });

  it("a file of a person below what the agent deleted is no change of the agent", async () => {
    const { engine, cwd, write, turn } = await openProject();
    write("name", "a file");
    await create(engine, "s", { cwd });
    await turn(() => rmSync(join(cwd, "name")));
    mkdirSync(join(cwd, "name"));
    write("name/mine.txt", "mine");
    await turn(() => write("other.txt", "x"));
    expect(
      (await engine.run("listChanges", { session: "s" }, TESTER)).changes.map(({ path }) => path),
    ).toEqual(["name", "other.txt"]);
    expect(await engine.run("approve", { session: "s" }, TESTER)).toMatchObject({ changes: 2 });
  });

  it("what turns changed is pending until it is approved; reset goes back to the approval", async () => {
    const { engine, cwd, write, read, turn } = await openProject();
    write("a.txt", "one");
    await create(engine, "s", { cwd });
    await turn(() => write("a.txt", "two"));
    write("mine.txt", "mine");
    expect(
      (await engine.run("listChanges", { session: "s", include: ["base"] }, TESTER)).changes,
    ).toMatchObject([{ path: "a.txt", base: "one" }]);
    expect(await engine.run("approve", { session: "s" }, TESTER)).toMatchObject({ changes: 1 });
    expect((await engine.run("listChanges", { session: "s" }, TESTER)).changes).toEqual([]);
    await turn(() => write("a.txt", "three"));
    expect((await engine.run("listChanges", { session: "s" }, TESTER)).changes).toMatchObject([
      { path: "a.txt" },
    ]);
    const answer = await engine.run("reset", { session: "s" }, TESTER);
    expect(answer.restored).toEqual(["a.txt"]);
    expect([read("a.txt"), read("mine.txt")]).toEqual(["two", "mine"]);
    expect((await engine.run("listChanges", { session: "s" }, TESTER)).changes).toEqual([]);
    const kinds = (await engine.run("listCheckpoints", { session: "s" }, TESTER)).checkpoints.map(
      ({ kind }) => kind,
    );
    expect(kinds.slice(kinds.indexOf("approved"))).toEqual([
      "approved",
      "before",
      "after",
      "restore",
      "after",
    ]);
  });
});

describe("a daemon that died in the middle of a restore", () => {
  it("finishes it at its next start, before any prompt", async () => {
    const first = await openProject({ isKilled: true });
    first.write("a.txt", "one");
    first.write("b.txt", "one");
    await create(first.engine, "s", { cwd: first.cwd });
    await first.turn(() => {
      first.write("a.txt", "two");
      first.write("b.txt", "two");
    });
    let steps = 0;
    first.workspace.onApply = () => {
      steps += 1;
      return steps === 2 ? new Promise(() => {}) : Promise.resolve();
    };
    void first.engine
      .run("restore", { session: "s", checkpoint: await first.latest("before") }, TESTER)
      .catch(() => {});
    await until(() => steps === 2);
    expect([first.read("a.txt"), first.read("b.txt")]).toEqual(["one", "two"]);
    await first.engine.run("prompt", { session: "s", parts: text("next"), whenBusy: "queue" }, TESTER);

    first.workspace.onApply = undefined;
    const second = await openProject({ store: first.store, workspace: first.workspace, cwd: first.cwd });
    await second.has("prompt.dispatched", 2);
    expect([first.read("a.txt"), first.read("b.txt")]).toEqual(["one", "one"]);
    const log = await second.events();
    expect(log.filter(({ type }) => type === "checkpoint.restored")).toMatchObject([{ files: 2 }]);
    expect(checkLog(log)).toEqual([]);
  });
});
