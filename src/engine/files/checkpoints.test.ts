/** Checkpoints around turns: they are in the log, and never in the way of a prompt. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import type { EventOf, EventType, SessionEvent } from "../../core/event.ts";
import { principal } from "../../core/principal.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { create, type OpenOptions, open, text } from "../engine.test-support.ts";
import { CopyingWorkspace } from "./copying-workspace.test-support.ts";

function project(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-project-")));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  writeFileSync(join(directory, "a.txt"), "one");
  return directory;
}

async function openProject(options: OpenOptions & { cwd?: string } = {}) {
  const workspace = (options.workspace as CopyingWorkspace) ?? new CopyingWorkspace();
  const opened = await open({ ...options, workspace });
  const cwd = options.cwd ?? project();
  const prompt = (words: string, id?: string) =>
    opened.engine.run("prompt", { session: "s", id, parts: text(words), whenBusy: "queue" }, TESTER);
  /** Sends a prompt and waits until the agent has it. */
  const begin = async (words = "go") => {
    const before = opened.adapter.last?.commands.length ?? 0;
    await prompt(words);
    await until(() => (opened.adapter.last?.commands.length ?? 0) > before);
  };
  const end = async () => {
    const { head } = await opened.engine.run("getSession", { session: "s" }, TESTER);
    opened.adapter.last.say({ type: "turn.ended", outcome: "completed" });
    await until(async () =>
      (await opened.events()).some((event) => event.seq > head && event.type === "turn.ended"),
    );
  };
  return { ...opened, workspace, cwd, prompt, begin, end };
}

const typesOf = (log: readonly SessionEvent[]): string[] =>
  log.map((event) => (event.type === "checkpoint.created" ? `checkpoint ${event.kind}` : event.type));

const all = <Type extends EventType>(log: readonly SessionEvent[], type: Type) =>
  log.filter((event): event is EventOf<Type> => event.type === type);

describe("checkpoints around a turn", () => {
  it("are taken with the session, before the prompt and before turn.ended", async () => {
    const { engine, cwd, begin, end, events, store } = await openProject();
    await create(engine, "s", { cwd });
    await until(async () => typesOf(await events()).includes("checkpoint created"));
    await begin();
    await end();
    const log = await events();
    expect(checkLog(log)).toEqual([]);
    const types = typesOf(log).filter((type) => /checkpoint|turn\.|dispatched/.test(type));
    expect(types).toEqual([
      "checkpoint created",
      "checkpoint before",
      "turn.started",
      "prompt.dispatched",
      "checkpoint after",
      "turn.ended",
    ]);
    const [dispatched] = all(log, "prompt.dispatched");
    expect(dispatched?.checkpoint).toBe(all(log, "checkpoint.created")[1]?.checkpoint);
    const row = await store.getMessage("s", dispatched!.message);
    expect(row?.record?.checkpoint).toBe(dispatched?.checkpoint);
  });

  it("tell what the agent did not say, once, masked, before turn.ended", async () => {
    const { engine, cwd, begin, end, adapter, events } = await openProject();
    mkdirSync(join(cwd, "real"));
    symlinkSync(join(cwd, "real"), join(cwd, "link"));
    writeFileSync(join(cwd, "gone.txt"), "old");
    await create(engine, "s", { cwd, env: { API_TOKEN: "secret-value-123" } });
    await begin();
    for (const [name, words] of [
      ["a.txt", "two"],
      ["relative.txt", "x"],
      ["real/through-link.txt", "x"],
      ["shell.txt", "token=secret-value-123"],
    ] as const)
      writeFileSync(join(cwd, name), words);
    rmSync(join(cwd, "gone.txt"));
    adapter.last.say(
      { type: "file.edited", path: join(cwd, "a.txt"), kind: "changed", diff: "@@" },
      { type: "file.edited", path: "relative.txt", kind: "created" },
      { type: "file.edited", path: join(cwd, "link/through-link.txt"), kind: "created" },
    );
    await end();
    const log = await events();
    const edits = all(log, "file.edited");
    expect(edits.filter(({ raw }) => raw === undefined)).toMatchObject([
      { path: join(cwd, "gone.txt"), kind: "deleted", turn: expect.any(String), message: expect.any(String) },
      { path: join(cwd, "shell.txt"), kind: "created" },
    ]);
    expect(edits).toHaveLength(5);
    expect(JSON.stringify(log)).not.toContain("secret-value-123");
    expect(checkLog(log)).toEqual([]);
  });

  it("show no line of a secret of several lines that a command wrote into a file", async () => {
    const { engine, cwd, begin, end, events } = await openProject();
    const lines = ["-----BEGIN KEY-----", "MIIEvQIBADANBgkqhkiG9w0B", "-----END KEY-----"];
    await create(engine, "s", { cwd, env: { PRIVATE_KEY: lines.join("\n") } });
    await begin();
    writeFileSync(join(cwd, "key.pem"), `first\n${lines.join("\n")}\nlast\n`);
    await end();
    const log = await events();
    const [edit] = all(log, "file.edited");
    expect(edit?.diff).toContain("+first\n+[secret PRIVATE_KEY]\n");
    expect(edit?.diff).toContain("\n+last\n");
    const [change] = (await engine.run("listChanges", { session: "s", turn: edit!.turn! }, TESTER)).changes;
    expect(change?.diff).toBe(edit?.diff);
    for (const line of lines) {
      expect(JSON.stringify(log)).not.toContain(line);
      expect(JSON.stringify(change)).not.toContain(line);
    }
  });

  it("are not taken for a steered prompt, and one queued behind has its own", async () => {
    const { engine, cwd, begin, end, adapter, events } = await openProject();
    await create(engine, "s", { cwd });
    await begin();
    await engine.run("prompt", { session: "s", parts: text("also"), whenBusy: "steer" }, TESTER);
    await engine.run("prompt", { session: "s", parts: text("next"), whenBusy: "queue" }, TESTER);
    await until(() => adapter.last.commands.length === 2);
    await end();
    await until(() => adapter.last.commands.length === 3);
    const dispatched = all(await events(), "prompt.dispatched");
    expect(dispatched.map(({ steered, checkpoint }) => [steered === true, checkpoint !== undefined])).toEqual(
      [
        [false, true],
        [true, false],
        [false, true],
      ],
    );
  });

  it("of a turn the agent begins by itself start from the last one", async () => {
    const { engine, cwd, begin, end, adapter, events } = await openProject();
    await create(engine, "s", { cwd });
    await begin();
    await end();
    adapter.last.say({ type: "turn.started", cause: "task", text: "It went on." });
    await until(async () => (await engine.run("getSession", { session: "s" }, TESTER)).status === "running");
    writeFileSync(join(cwd, "own.txt"), "x");
    await end();
    const log = await events();
    expect(typesOf(log).filter((type) => type === "checkpoint before")).toHaveLength(1);
    expect(all(log, "file.edited")).toMatchObject([{ path: join(cwd, "own.txt"), kind: "created" }]);
    expect(checkLog(log)).toEqual([]);
    const turn = all(log, "turn.ended").at(-1)!.turn;
    expect((await engine.run("listChanges", { session: "s", turn }, TESTER)).changes).toMatchObject([
      { path: "own.txt", status: "added" },
    ]);
  });

  it("of a silent turn of the agent's own, which a prompt overtakes, is also the one before the prompt", async () => {
    const { engine, cwd, begin, end, prompt, adapter, events } = await openProject({
      limits: { agentTurnQuietMs: 1 },
    });
    await create(engine, "s", { cwd });
    await begin();
    await end();
    adapter.last.say({ type: "turn.started", cause: "task", text: "It went on." });
    await until(async () => (await engine.run("getSession", { session: "s" }, TESTER)).status === "running");
    writeFileSync(join(cwd, "own.txt"), "x");
    await prompt("now");
    await until(() => adapter.last.commands.length === 2);
    const log = await events();
    expect(checkLog(log)).toEqual([]);
    expect(all(log, "file.edited")).toMatchObject([{ path: join(cwd, "own.txt") }]);
    const [, own] = all(log, "turn.ended");
    const after = all(log, "checkpoint.created").at(-1)!;
    expect(after).toMatchObject({ kind: "after", turn: own!.turn });
    expect(all(log, "prompt.dispatched").at(-1)?.checkpoint).toBe(after.checkpoint);
  });

  it("are also taken when the agent dies", async () => {
    const { engine, cwd, begin, adapter, events, has } = await openProject();
    await create(engine, "s", { cwd });
    await begin();
    writeFileSync(join(cwd, "half.txt"), "x");
    adapter.last.die(1);
    await has("session.detached");
    const log = await events();
    expect(all(log, "file.edited")).toMatchObject([{ path: join(cwd, "half.txt") }]);
    expect(all(log, "turn.ended")).toMatchObject([{ outcome: "failed", error: { code: "agent_exited" } }]);
    expect(checkLog(log, { complete: true })).toEqual([]);
  });

  it("a prompt sent while the last one is being taken is not steered into a turn that has ended", async () => {
    const { engine, cwd, begin, workspace, adapter, events } = await openProject();
    await create(engine, "s", { cwd });
    await begin();
    const gate = Promise.withResolvers<void>();
    let isTaking = false;
    workspace.onCapture = () => {
      isTaking = true;
      return gate.promise;
    };
    adapter.last.say({ type: "turn.ended", outcome: "completed" });
    await until(() => isTaking);
    const sent = await engine.run("prompt", { session: "s", parts: text("more"), whenBusy: "steer" }, TESTER);
    expect(sent.state).toBe("queued");
    gate.resolve();
    await until(() => adapter.last.commands.length === 2);
    const log = await events();
    expect(checkLog(log)).toEqual([]);
    expect(all(log, "prompt.dispatched").map(({ steered }) => steered === true)).toEqual([false, false]);
  });
});

describe("a checkpoint that cannot be taken", () => {
  it("does not lose the prompt: the turn runs and a notice says that it cannot be undone", async () => {
    const { engine, cwd, begin, end, workspace, events } = await openProject();
    workspace.onCapture = () => Promise.reject(new Error("the disk is full"));
    await create(engine, "s", { cwd });
    await begin();
    await end();
    const log = await events();
    expect(all(log, "prompt.dispatched")[0]?.checkpoint).toBeUndefined();
    expect(all(log, "notice")).toMatchObject([
      { code: "checkpoint", level: "warning", text: expect.stringContaining("the disk is full") },
    ]);
    expect(checkLog(log)).toEqual([]);
  });

  it("does not keep a prompt waiting behind a silent turn of the agent's own", async () => {
    const { engine, cwd, begin, end, prompt, workspace, adapter, events } = await openProject({
      limits: { agentTurnQuietMs: 1 },
    });
    workspace.onCapture = () => Promise.reject(new Error("the disk is full"));
    await create(engine, "s", { cwd });
    await begin();
    await end();
    adapter.last.say({ type: "turn.started", cause: "task", text: "It went on." });
    await until(async () => (await engine.run("getSession", { session: "s" }, TESTER)).status === "running");
    workspace.onCapture = undefined;
    await prompt("now");
    await until(() => adapter.last.commands.length === 2);
    expect(checkLog(await events())).toEqual([]);
  });

  it("or is late does not hold up the prompt, and goes on for the next one", async () => {
    const { engine, cwd, begin, end, workspace, events } = await openProject({
      limits: { checkpointTimeoutMs: 20 },
    });
    const gate = Promise.withResolvers<void>();
    workspace.onCapture = () => gate.promise;
    await create(engine, "s", { cwd });
    await begin();
    await end();
    gate.resolve();
    workspace.onCapture = undefined;
    await begin("again");
    const log = await events();
    expect(all(log, "prompt.dispatched").map(({ checkpoint }) => checkpoint !== undefined)).toEqual([
      false,
      true,
    ]);
    expect(all(log, "notice")[0]?.text).toContain("not ready after");
    expect(checkLog(log)).toEqual([]);
  });

  it("in time at the end of a turn is recorded when it is there", async () => {
    const { engine, cwd, begin, end, workspace, events } = await openProject({
      limits: { checkpointTimeoutMs: 200 },
    });
    await create(engine, "s", { cwd });
    await begin();
    const gate = Promise.withResolvers<void>();
    workspace.onCapture = () => gate.promise;
    writeFileSync(join(cwd, "late.txt"), "x");
    await end();
    gate.resolve();
    await until(async () =>
      all(await events(), "checkpoint.created").some(({ endOf }) => endOf !== undefined),
    );
    const log = await events();
    const { turn } = all(log, "turn.ended")[0]!;
    expect((await engine.run("listChanges", { session: "s", turn }, TESTER)).changes).toMatchObject([
      { path: "late.txt" },
    ]);
    expect(checkLog(log)).toEqual([]);
  });

  it("because of the directory is said once, also in the session's view", async () => {
    const { engine, cwd, begin, end, workspace, events } = await openProject();
    workspace.obstacleText = "There is no git.";
    await create(engine, "s", { cwd });
    await begin();
    await end();
    await begin("again");
    expect(all(await events(), "notice")).toMatchObject([
      { code: "checkpoint", text: expect.stringContaining("There is no git.") },
    ]);
    expect(await engine.run("getSession", { session: "s" }, TESTER)).toMatchObject({
      checkpoints: "on",
      checkpointObstacle: "There is no git.",
    });
    expect(workspace.copies.size).toBe(0);
    await expect(engine.run("approve", { session: "s" }, TESTER)).rejects.toMatchObject({
      code: "checkpoints_off",
    });
  });

  it("because they are off is no trouble", async () => {
    const { engine, cwd, begin, end, workspace, events } = await openProject();
    await create(engine, "s", { cwd, checkpoints: "off" });
    await begin();
    await end();
    expect(workspace.copies.size).toBe(0);
    expect(all(await events(), "notice")).toEqual([]);
    expect(await engine.run("getSession", { session: "s" }, TESTER)).toMatchObject({ checkpoints: "off" });
    expect((await engine.run("listCheckpoints", { session: "s" }, TESTER)).checkpoints).toEqual([]);
    await expect(
      engine.run("listChanges", { session: "s" }, TESTER).then(({ changes }) => changes),
    ).rejects.toMatchObject({ code: "checkpoints_off" });
  });
});

describe("the end of a session with checkpoints", () => {
  it("a stop while the checkpoint before a prompt is taken stops the prompt", async () => {
    const { engine, cwd, prompt, begin, end, workspace, adapter, events } = await openProject();
    await create(engine, "s", { cwd });
    await begin();
    await end();
    const gate = Promise.withResolvers<void>();
    workspace.onCapture = () => gate.promise;
    await prompt("go");
    expect((await engine.run("interrupt", { session: "s" }, principal("me", "v1"))).interrupted).toBe(true);
    gate.resolve();
    await until(async () => all(await events(), "turn.ended").length === 2);
    expect(adapter.last.commands).toHaveLength(1);
    expect(all(await events(), "turn.ended")[1]).toMatchObject({ outcome: "interrupted" });
  });

  it("an agent that has stopped is not ended by force while the checkpoint at the end is taken", async () => {
    const { engine, cwd, begin, workspace, adapter, events } = await openProject({
      limits: { stopGraceMs: 20 },
    });
    await create(engine, "s", { cwd });
    await begin();
    const gate = Promise.withResolvers<void>();
    workspace.onCapture = () => gate.promise;
    adapter.last.say({ type: "turn.ended", outcome: "interrupted" });
    await engine.run("interrupt", { session: "s" }, principal("owner", "test"));
    await sleep(60);
    gate.resolve();
    await until(async () => all(await events(), "turn.ended").length === 1);
    const log = await events();
    expect(typesOf(log).slice(-2)).toEqual(["checkpoint after", "turn.ended"]);
    expect(all(log, "turn.ended")[0]).not.toHaveProperty("error");
    expect(all(log, "notice")).toEqual([]);
    expect(checkLog(log)).toEqual([]);
  });

  it("closing it in the middle of a turn records what was changed", async () => {
    const { engine, cwd, begin, events } = await openProject();
    await create(engine, "s", { cwd });
    await begin();
    writeFileSync(join(cwd, "half.txt"), "x");
    await engine.run("updateSession", { session: "s", status: "closed" }, TESTER);
    const log = await events();
    expect(all(log, "file.edited")).toMatchObject([{ path: join(cwd, "half.txt") }]);
    expect(log.at(-1)?.type).toBe("session.closed");
    expect(checkLog(log, { complete: true })).toEqual([]);
  });

  it("deleting it does not wait, and deletes its checkpoints", async () => {
    const { engine, cwd, begin, workspace } = await openProject();
    await create(engine, "s", { cwd });
    await begin();
    workspace.onCapture = () => new Promise(() => {});
    await engine.run("deleteSession", { session: "s" }, TESTER);
    expect(workspace.forgotten).toEqual(["s"]);
    // What only they had is deleted in the background.
    await until(() => workspace.collections === 1);
  });

  it("a daemon that died in the middle of a turn: turn.ended does not wait, the checkpoint follows", async () => {
    const first = await openProject({ isKilled: true });
    await create(first.engine, "s", { cwd: first.cwd });
    await first.begin();
    writeFileSync(join(first.cwd, "half.txt"), "x");
    const second = await openProject({ store: first.store, workspace: first.workspace, cwd: first.cwd });
    await until(async () => typesOf(await second.events()).at(-1) === "checkpoint after");
    const log = await second.events();
    const { turn } = all(log, "turn.ended")[0]!;
    expect((await second.engine.run("listChanges", { session: "s", turn }, TESTER)).changes).toMatchObject([
      { path: "half.txt" },
    ]);
    expect(checkLog(log, { complete: true })).toEqual([]);
  });
});

it("a checkpoint that fails after the daemon has stopped writes nothing into the closed store", async () => {
  const { engine, workspace, cwd, prompt, store } = await openProject();
  await create(engine, "s", { cwd });
  const late = Promise.withResolvers<void>();
  let isCapturing = false;
  workspace.onCapture = () => {
    isCapturing = true;
    return late.promise;
  };
  await prompt("go");
  await until(() => isCapturing);
  await engine.close();
  const append = vi.spyOn(store, "append");
  late.reject(new Error("late"));
  // A commit begins in the next turn of the event loop.
  for (let turns = 0; turns < 10; turns += 1) await new Promise(setImmediate);
  expect(append).not.toHaveBeenCalled();
});
