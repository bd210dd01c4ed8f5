/** Prompts that wait and are held: a stop that stops, until somebody goes on. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import type { SessionEvent } from "../../core/event.ts";
import { openStore } from "../../store/open-store.ts";
import { ScriptedAdapter } from "../../testkit/scripted-adapter.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { create, open, text } from "../engine.test-support.ts";
import type { Engine } from "../engine.ts";

type Options = Parameters<typeof open>[0];

/** The agent works on `first`, and these wait. */
async function waiting(ids: readonly string[], options: Options = {}) {
  const adapter = new ScriptedAdapter({ steer: false });
  const opened = await open({ adapter, ...options });
  await create(opened.engine);
  await send(opened.engine, "first");
  await until(() => adapter.last?.commands.length === 1);
  for (const id of ids) await send(opened.engine, id);
  return { ...opened, adapter };
}

/** The same, stopped and held. */
async function held(ids: readonly string[], options?: Options) {
  const opened = await waiting(ids, options);
  expect((await opened.engine.run("interrupt", { session: "s", hold: true }, TESTER)).interrupted).toBe(true);
  opened.adapter.last.say({ type: "turn.ended", outcome: "interrupted" });
  await opened.has("turn.ended");
  return opened;
}

function send(engine: Engine, id: string, more: object = {}) {
  return engine.run("prompt", { session: "s", id, parts: text(id), whenBusy: "queue", ...more }, TESTER);
}

async function order(engine: Engine): Promise<string[]> {
  return (await engine.run("listQueue", { session: "s" }, TESTER)).map(({ message }) => message);
}

function prompted(adapter: ScriptedAdapter): string[] {
  return adapter.last.commands.flatMap((command) => (command.type === "prompt" ? [command.message] : []));
}

/** Lets the agent end one turn after the other until nothing is left to run. */
async function runAll(
  engine: Engine,
  adapter: ScriptedAdapter,
  has: (type: SessionEvent["type"], count?: number) => Promise<unknown>,
  from: number,
  count: number,
) {
  for (let turn = 1; turn <= count; turn += 1) {
    await until(() => prompted(adapter).length === from + turn);
    adapter.last.say({ type: "turn.ended", outcome: "completed" });
    await has("turn.ended", from + turn);
  }
  expect(await order(engine)).toEqual([]);
}

/** Who may prompt, and not get ahead of others. */
const GUEST = { access: { token: "tok_1", name: "guest", role: "participant" } } as const;

describe("a stop that holds what waits", () => {
  it("runs none of them, and says by whom", async () => {
    const { engine, adapter, events } = await held(["a", "b"]);
    const details = await engine.run("getSession", { session: "s" }, TESTER);
    expect(details).toMatchObject({ status: "idle", queued: 2, queueHeld: { by: TESTER.name } });
    expect(prompted(adapter)).toEqual(["first"]);
    const log = await events();
    expect(checkLog(log, { complete: true })).toEqual([]);
    const types = log.map((event) => event.type);
    expect(types.indexOf("turn.stopping")).toBeGreaterThan(log.findIndex((event) => "queueHeld" in event));
  });

  it("writes nothing where nothing waits", async () => {
    const { engine, events } = await held([]);
    expect((await engine.run("getSession", { session: "s" }, TESTER)).queueHeld).toBeUndefined();
    expect((await events()).some((event) => "queueHeld" in event)).toBe(false);
  });

  it("goes on, once, when it is told to", async () => {
    const { engine, adapter, has, events } = await held(["a", "b"]);
    expect((await engine.run("releaseQueue", { session: "s" }, TESTER)).released).toBe(true);
    expect((await engine.run("releaseQueue", { session: "s" }, TESTER)).released).toBe(false);
    await runAll(engine, adapter, has, 1, 2);
    expect(prompted(adapter)).toEqual(["first", "a", "b"]);
    expect(checkLog(await events())).toEqual([]);
  });

  it("takes a new prompt first, and then goes on", async () => {
    const { engine, adapter, has, events } = await held(["a", "b"]);
    const receipt = await send(engine, "new", { whenBusy: "reject" });
    expect(receipt).toMatchObject({ state: "started" });
    expect(await send(engine, "new", { whenBusy: "reject" })).toEqual(receipt);
    await runAll(engine, adapter, has, 1, 3);
    expect(prompted(adapter)).toEqual(["first", "new", "a", "b"]);
    const log = await events();
    expect(log[receipt.seq - 1]).toMatchObject({ type: "prompt.accepted", message: "new" });
    expect(checkLog(log)).toEqual([]);
  });

  it("takes it last where it may not get ahead of the others", async () => {
    const { engine, adapter, has } = await held(["a", "b"]);
    const prompt = { id: "new", parts: text("new"), whenBusy: "queue" as const };
    const receipt = await engine.run("prompt", { session: "s", ...prompt, checks: GUEST }, TESTER);
    expect(receipt.state).toBe("queued");
    await runAll(engine, adapter, has, 1, 3);
    expect(prompted(adapter)).toEqual(["first", "a", "b", "new"]);
  });

  it("ends when one of them is sent now", async () => {
    const { engine, adapter, has, events } = await held(["a", "b"]);
    expect(await engine.run("sendQueued", { session: "s", message: "b" }, TESTER)).toMatchObject({
      state: "queued",
    });
    await runAll(engine, adapter, has, 1, 2);
    expect(prompted(adapter)).toEqual(["first", "b", "a"]);
    expect(checkLog(await events())).toEqual([]);
  });

  it("stays held where sending one is refused", async () => {
    const { engine, events } = await held(["a", "b"]);
    const { length } = await events();
    await expect(
      engine.run("sendQueued", { session: "s", message: "b", checks: GUEST }, TESTER),
    ).rejects.toMatchObject({
      code: "forbidden",
      extras: { right: "queue.any" },
    });
    expect(await events()).toHaveLength(length);
  });

  it("leaves a turn alone that is not the named one, and what waits with it", async () => {
    const { engine, events } = await waiting(["a"]);
    expect(
      (await engine.run("interrupt", { session: "s", turn: "t0", hold: true }, TESTER)).interrupted,
    ).toBe(false);
    expect((await engine.run("getSession", { session: "s" }, TESTER)).queueHeld).toBeUndefined();
    expect((await events()).some(({ type }) => type === "turn.stopping")).toBe(false);
  });

  it("holds also what waits behind a turn that was being stopped already", async () => {
    const { engine, adapter, has } = await waiting(["a"]);
    await engine.run("interrupt", { session: "s" }, TESTER);
    await engine.run("interrupt", { session: "s", hold: true }, TESTER);
    adapter.last.say({ type: "turn.ended", outcome: "interrupted" });
    await has("turn.ended");
    expect(await engine.run("getSession", { session: "s" }, TESTER)).toMatchObject({
      status: "idle",
      queued: 1,
    });
    expect(prompted(adapter)).toEqual(["first"]);
  });

  it("holds after the daemon was killed, before and after the turn has ended", async () => {
    for (const isOver of [false, true]) {
      const store = await openStore(":memory:");
      const before = await waiting(["a", "b"], { store, isKilled: true });
      await before.engine.run("interrupt", { session: "s", hold: true }, TESTER);
      if (isOver) {
        before.adapter.last.say({ type: "turn.ended", outcome: "interrupted" });
        await before.has("turn.ended");
      }
      const after = await open({ store, adapter: new ScriptedAdapter() });
      await after.has("turn.ended");
      expect(await after.engine.run("getSession", { session: "s" }, TESTER)).toMatchObject({
        queued: 2,
        queueHeld: { by: TESTER.name },
      });
      // Starting the agent is no prompt.
      if (isOver) await after.engine.run("attachSession", { session: "s" }, TESTER);
      if (isOver) expect(prompted(after.adapter)).toEqual([]);
      await after.engine.run("releaseQueue", { session: "s" }, TESTER);
      await until(() => prompted(after.adapter).length === 1);
      expect(prompted(after.adapter)).toEqual(["a"]);
      const log = await after.events();
      expect(log.filter(({ type }) => type === "turn.ended")).toHaveLength(1);
      expect(checkLog(log)).toEqual([]);
    }
  });

  it("never lets one begin by itself, whatever is done", async () => {
    const id = fc.constantFrom("a", "b", "c");
    const act = fc.oneof(
      fc.constant({ do: "hold" as const }),
      fc.constant({ do: "stop" as const }),
      fc.constant({ do: "end" as const }),
      fc.constant({ do: "release" as const }),
      fc.constant({ do: "new" as const }),
      fc.constant({ do: "restart" as const }),
      fc.record({ do: fc.constant("now" as const), id }),
      fc.record({ do: fc.constant("withdraw" as const), id }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 14 }), async (acts) => {
        const store = await openStore(":memory:");
        let opened = await waiting(["a", "b", "c"], { store, isKilled: true });
        for (const [index, step] of acts.entries()) {
          const { engine, adapter } = opened;
          if (step.do === "hold") await engine.run("interrupt", { session: "s", hold: true }, TESTER);
          else if (step.do === "stop") await engine.run("interrupt", { session: "s" }, TESTER);
          else if (step.do === "end") adapter.last?.say({ type: "turn.ended", outcome: "completed" });
          else if (step.do === "release") await engine.run("releaseQueue", { session: "s" }, TESTER);
          else if (step.do === "new") await send(engine, `new${index}`);
          else if (step.do === "restart")
            opened = {
              ...opened,
              ...(await open({ store, adapter: new ScriptedAdapter({ steer: false }), isKilled: true })),
            };
          else if (step.do === "now")
            await engine.run("sendQueued", { session: "s", message: step.id }, TESTER).catch(() => {});
          else await engine.run("withdrawQueued", { session: "s", message: step.id }, TESTER).catch(() => {});
        }
        // checkLog knows that nothing is dispatched while it is held, and that turns end once.
        expect(checkLog(await opened.events())).toEqual([]);
        const { status, queueHeld } = await opened.engine.run("getSession", { session: "s" }, TESTER);
        if (queueHeld && status !== "running") expect(["idle", "failed"]).toContain(status);
        await opened.engine.close();
      }),
      { numRuns: 40 },
    );
  });
});
