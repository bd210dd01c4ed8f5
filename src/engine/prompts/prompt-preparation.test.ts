/** Daemons that die while they prepare a prompt: which deaths count, and what the next daemon does. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import { eventOf } from "../../core/encoded-event.ts";
import { FIRST_EPOCH } from "../../core/ownership.ts";
import type { Store } from "../../core/store.ts";
import { openStore } from "../../store/open-store.ts";
import { instrumentStore } from "../../testkit/instrument-store.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { create, type OpenOptions, open, text } from "../engine.test-support.ts";
import { CopyingWorkspace } from "../files/copying-workspace.test-support.ts";
import { SharedClaims } from "../files/shared-claims.test-support.ts";

/** Captures of some sessions do not come back. */
class StallingWorkspace extends CopyingWorkspace {
  readonly stalled = new Set<string>();
  readonly reached: string[] = [];
  #freed = Promise.withResolvers<void>();

  /** Those that stand still go on. */
  free(): void {
    this.stalled.clear();
    this.#freed.resolve();
  }

  /** The next ones stand still. */
  stall(session: string): void {
    this.stalled.add(session);
    this.reached.length = 0;
    this.#freed = Promise.withResolvers();
  }

  override async capture(place: { session: string; directory: string }) {
    this.reached.push(place.session);
    if (this.stalled.has(place.session)) await this.#freed.promise;
    return super.capture(place);
  }
}

/** Daemons after each other on one store. Each is killed: nothing that it does afterwards reaches the store. */
class Daemons {
  readonly store: Store;
  readonly cwd: string;
  workspace = new StallingWorkspace();
  #kill = () => {};

  constructor(store: Store, cwd: string) {
    this.store = store;
    this.cwd = cwd;
  }

  /** The one before, if there is one, is dead. */
  async next(options: OpenOptions = {}) {
    this.#kill();
    let isDead = false;
    this.#kill = () => {
      isDead = true;
    };
    const inner = options.store ?? this.store;
    const store = instrumentStore(inner, {
      append: (batch) => (isDead ? new Promise(() => {}) : inner.append(batch)),
    });
    this.workspace = new StallingWorkspace();
    this.workspace.stall("s");
    return open({ ...options, store, workspace: this.workspace, isKilled: true });
  }

  /** The session `s`, and in it a prompt that is being prepared. */
  async begin(options?: OpenOptions) {
    const daemon = await this.next(options);
    await create(daemon.engine, "s", { cwd: this.cwd });
    await send(daemon.engine, "u1");
    await this.preparing();
    return daemon;
  }

  /** The capture before the prompt stands still, and the store knows. */
  async preparing(session = "s") {
    await until(() => this.workspace.reached.includes(session));
    await until(async () => (await this.store.loadState(session))?.preparing !== undefined);
  }
}

async function daemons() {
  const store = await openStore(":memory:");
  const cwd = mkdtempSync(join(tmpdir(), "interlingua-preparation-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  return new Daemons(store, cwd);
}

type Engine = Awaited<ReturnType<typeof open>>["engine"];

function send(engine: Engine, id: string, session = "s") {
  return engine.run("prompt", { session, id, parts: text(id), whenBusy: "queue" }, TESTER);
}

async function isHeld(engine: Engine, session = "s"): Promise<boolean> {
  return (await engine.run("listQueue", { session }, TESTER)).some(({ held }) => held === true);
}

describe("daemons that die while they prepare a prompt", () => {
  it("are counted, and the third holds that prompt only", async () => {
    const all = await daemons();
    await all.begin();
    await all.next();
    await all.preparing();
    expect((await all.store.loadState("s"))?.preparing).toMatchObject({ message: "u1", deaths: 1 });
    const { engine, events, adapter } = await all.next();
    expect(await engine.run("listQueue", { session: "s" }, TESTER)).toMatchObject([
      { message: "u1", held: true, reason: /./ },
    ]);
    expect(await engine.run("getSession", { session: "s" }, TESTER)).toMatchObject({
      status: "idle",
      queued: 1,
    });
    all.workspace.free();
    expect(await send(engine, "u2")).toMatchObject({ state: "started" });
    await until(() => adapter.last?.commands.length === 1);
    adapter.last.say({ type: "turn.ended", outcome: "completed" });
    await until(async () => (await events()).some(({ type }) => type === "turn.ended"));
    expect(await isHeld(engine)).toBe(true);
    expect((await all.store.loadState("s"))?.preparing).toBeUndefined();
    expect((await engine.run("releaseQueue", { session: "s" }, TESTER)).released).toBe(true);
    expect((await engine.run("releaseQueue", { session: "s" }, TESTER)).released).toBe(false);
    await until(() => adapter.last.commands.length === 2);
    expect(checkLog(await events())).toEqual([]);
  });

  it("do not count when they were only waiting for a slot", async () => {
    const all = await daemons();
    const { engine, adapter } = await all.begin();
    await create(engine, "waits", { cwd: all.cwd });
    await send(engine, "w1", "waits");
    await until(() => adapter.sessions.some(({ commands }) => commands.length === 1));
    await send(engine, "w2", "waits");
    // The session "s" has the slot.
    await all.next({ limits: { maxLiveAgents: 1 } });
    await all.preparing();
    expect((await all.store.loadState("waits"))?.preparing).toBeUndefined();
    const last = await all.next({ limits: { maxLiveAgents: 1 } });
    await until(() => last.adapter.sessions.some(({ commands }) => commands.length === 1));
    expect(await isHeld(last.engine)).toBe(true);
    expect(await isHeld(last.engine, "waits")).toBe(false);
  });

  it("do not count when a daemon between them got through or ended it otherwise", async () => {
    const all = await daemons();
    await all.begin();
    const second = await all.next();
    await all.preparing();
    await second.engine.run("interrupt", { session: "s" }, TESTER);
    all.workspace.free();
    all.workspace.stall("s");
    await until(async () => (await all.store.loadState("s"))?.preparing === undefined);
    await send(second.engine, "u2");
    await all.preparing();
    const third = await all.next();
    await all.preparing();
    expect((await all.store.loadState("s"))?.preparing).toMatchObject({ message: "u2", deaths: 1 });
    expect(await isHeld(third.engine)).toBe(false);
  });

  it("do not count for a prompt that is being prepared beside the one that kills them", async () => {
    const all = await daemons();
    const first = await all.begin();
    all.workspace.stalled.add("innocent");
    await create(first.engine, "innocent", { cwd: all.cwd });
    await send(first.engine, "i1", "innocent");
    await all.preparing("innocent");
    // From now on they are prepared one at a time, the older session first.
    await all.next();
    await all.preparing();
    await until(async () => (await all.store.loadState("innocent"))?.preparing === undefined);
    expect(all.workspace.reached).toEqual(["s"]);
    const third = await all.next();
    await until(() => third.adapter.sessions.some(({ commands }) => commands.length === 1));
    expect(await isHeld(third.engine)).toBe(true);
    expect(await isHeld(third.engine, "innocent")).toBe(false);
  });

  it("do not count for a prompt that went on beside the one that kills them, after the time limit", async () => {
    const all = await daemons();
    const first = await all.begin();
    all.workspace.stalled.add("innocent");
    await create(first.engine, "innocent", { cwd: all.cwd });
    await send(first.engine, "i1", "innocent");
    await all.preparing("innocent");
    const timers: (() => void)[] = [];
    await all.next({
      setTimer(act) {
        timers.push(act);
        return () => {};
      },
    });
    all.workspace.stalled.add("innocent");
    await all.preparing();
    await until(async () => (await all.store.loadState("innocent"))?.preparing === undefined);
    for (const act of timers) act();
    await all.preparing("innocent");
    expect((await all.store.loadState("s"))?.preparing).toMatchObject({ message: "u1", deaths: 1 });
    expect((await all.store.loadState("innocent"))?.preparing).toMatchObject({ message: "i1", deaths: 0 });
    const third = await all.next();
    await until(() => third.adapter.sessions.some(({ commands }) => commands.length === 1));
    expect(await isHeld(third.engine)).toBe(true);
    expect(await third.engine.run("listQueue", { session: "innocent" }, TESTER)).toEqual([]);
  });

  it("are told from a daemon that read its own session again", async () => {
    const all = await daemons();
    const store = instrumentStore(all.store, {
      append: (batch) => {
        const isPoisoned = batch.some(({ events }) => events.some(({ json }) => json.includes('"title"')));
        return isPoisoned ? Promise.reject(new Error("refused")) : all.store.append(batch);
      },
    });
    const { engine } = await all.begin({ store });
    for (let round = 0; round < 2; round += 1) {
      all.workspace.reached.length = 0;
      await engine.run("updateSession", { session: "s", title: "refused" }, TESTER).catch(() => {});
      await engine.run("getSession", { session: "s" }, TESTER);
      await all.preparing();
      expect((await all.store.loadState("s"))?.preparing).toMatchObject({ message: "u1", deaths: 0 });
    }
    expect(await isHeld(engine)).toBe(false);
  });
});

it("a prompt behind one that waits to be retried begins when that one is withdrawn", async () => {
  const all = await daemons();
  const first = await all.begin();
  all.workspace.stalled.add("t");
  await create(first.engine, "t", { cwd: all.cwd });
  await send(first.engine, "t1", "t");
  await all.preparing("t");
  // The session "s" is the only one whose prompt is retried now.
  const { engine, adapter } = await all.next();
  await all.preparing();
  await send(engine, "t2", "t");
  await engine.run("withdrawQueued", { session: "t", message: "t1" }, TESTER);
  const agent = () => adapter.sessions.find(({ sessionId }) => sessionId === "t");
  await until(() => agent()?.commands.length === 1);
  expect(agent()?.commands).toMatchObject([{ type: "prompt", message: "t2" }]);
});

it("the store learns what is being prepared with commits that there are anyway", async () => {
  const all = await daemons();
  const appends: { preparing: string | undefined; types: string[]; raws: number }[] = [];
  const store = instrumentStore(all.store, {
    append: (batch) => {
      for (const { preparing, events, raws } of batch) {
        const types = events.map((one) => eventOf(one).type);
        appends.push({ preparing: preparing?.message, types, raws: raws.length });
      }
      return all.store.append(batch);
    },
  });
  const { engine, adapter, has } = await all.next({ store });
  all.workspace.free();
  // Longer than a commit takes.
  all.workspace.onCapture = () => sleep(30);
  await create(engine, "s", { cwd: all.cwd });
  await has("checkpoint.created");
  for (const id of ["u1", "u2", "u3"]) await send(engine, id);
  for (let turn = 1; turn <= 3; turn += 1) {
    await until(() => adapter.last?.commands.length === turn);
    adapter.last.say({ type: "turn.ended", outcome: "completed" });
    await has("turn.ended", turn);
  }
  expect(appends.filter(({ types, raws }) => types.length + raws === 0)).toEqual([]);
  for (const message of ["u1", "u2", "u3"])
    expect(appends.some(({ preparing }) => preparing === message)).toBe(true);
  const dispatches = appends.filter(({ types }) => types.includes("prompt.dispatched"));
  expect(dispatches.map(({ preparing }) => preparing)).toEqual([undefined, undefined, undefined]);
});

describe("nodes that die while they prepare a prompt", () => {
  it("count when they are declared dead, and not while they live", async () => {
    const all = await daemons();
    const claims = new SharedClaims(all.store);
    const [a, b, c, d] = [claims.join("a"), claims.join("b"), claims.join("c"), claims.join("d")];
    await all.begin({ ...a, daemonId: "a" });
    // Node a lives, and has given up the session.
    await a.ownership.release("s", { node: a.address.id, epoch: FIRST_EPOCH });
    await all.next({ ...b, daemonId: "b" });
    await all.preparing();
    expect((await all.store.loadState("s"))?.preparing).toMatchObject({ deaths: 0 });
    b.die();
    await all.next({ ...c, daemonId: "c" });
    await all.preparing();
    await until(async () => (await all.store.loadState("s"))?.preparing?.deaths === 1);
    c.die();
    const last = await all.next({ ...d, daemonId: "d" });
    await until(() => isHeld(last.engine));
  });
});
