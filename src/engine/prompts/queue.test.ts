/** Prompts that wait: their order, and one that is sent now. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import { OWNER } from "../../core/rights.ts";
import { openStore } from "../../store/open-store.ts";
import { ScriptedAdapter } from "../../testkit/scripted-adapter.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { create, open, text } from "../engine.test-support.ts";
import type { Engine } from "../engine.ts";

/** The agent works on `first`, and these wait. */
async function waiting(ids: readonly string[], adapter = new ScriptedAdapter()) {
  const opened = await open({ adapter });
  await create(opened.engine);
  await opened.engine.run(
    "prompt",
    { session: "s", id: "first", parts: text("first"), whenBusy: "queue" },
    TESTER,
  );
  await until(() => adapter.last?.commands.length === 1);
  for (const id of ids)
    await opened.engine.run("prompt", { session: "s", id, parts: text(id), whenBusy: "queue" }, TESTER);
  return { ...opened, adapter };
}

async function order(engine: Engine): Promise<string[]> {
  return (await engine.run("listQueue", { session: "s" }, TESTER)).map(({ message }) => message);
}

function prompted(adapter: ScriptedAdapter): string[] {
  return adapter.last.commands.flatMap((command) => (command.type === "prompt" ? [command.message] : []));
}

const DEAF = () => new ScriptedAdapter({ steer: false });

/** Who may prompt, and neither get ahead of others nor stop. */
const GUEST = { access: { token: "tok_1", name: "guest", role: "participant" } } as const;

describe("the order of waiting prompts", () => {
  it("is changed, is in the log, and is that in which they run", async () => {
    const { engine, adapter, events, has } = await waiting(["a", "b", "c"]);
    const moved = await engine.run("moveQueued", { session: "s", message: "c", before: "a" }, TESTER);
    expect(moved).toMatchObject({ message: "c", parts: text("c") });
    await engine.run("moveQueued", { session: "s", message: "a", before: null }, TESTER);
    expect(await order(engine)).toEqual(["c", "b", "a"]);
    for (const count of [1, 2, 3, 4]) {
      await until(() => prompted(adapter).length === count);
      adapter.last.say({ type: "turn.ended", outcome: "completed" });
      await has("turn.ended", count);
    }
    expect(prompted(adapter)).toEqual(["first", "c", "b", "a"]);
    const log = await events();
    expect(log.filter(({ type }) => type === "prompt.moved")).toMatchObject([
      { message: "c", before: "a", by: TESTER.name },
      { message: "a", by: TESTER.name },
    ]);
    expect(checkLog(log)).toEqual([]);
  });

  it("is written down only where it changes", async () => {
    const { engine, events } = await waiting(["a", "b"]);
    await engine.run("moveQueued", { session: "s", message: "a", before: "b" }, TESTER);
    await engine.run("moveQueued", { session: "s", message: "b", before: null }, TESTER);
    expect((await events()).some(({ type }) => type === "prompt.moved")).toBe(false);
  });

  it("is the same after a restart", async () => {
    const store = await openStore(":memory:");
    const before = await open({ store, isKilled: true });
    await create(before.engine);
    for (const id of ["first", "a", "b", "c"])
      await before.engine.run("prompt", { session: "s", id, parts: text(id), whenBusy: "queue" }, TESTER);
    await until(() => before.adapter.last?.commands.length === 1);
    await before.engine.run("moveQueued", { session: "s", message: "c", before: "a" }, TESTER);
    const after = await open({ store });
    await until(() => after.adapter.last?.commands.length === 1);
    expect(prompted(after.adapter)).toEqual(["c"]);
    expect(await order(after.engine)).toEqual(["a", "b"]);
  });

  it.each([
    ["none", "a", { code: "message_not_found" }],
    ["first", "a", { code: "message_not_queued" }],
    ["a", "first", { code: "message_not_queued", extras: { errors: [{ path: "before" }] } }],
    ["a", "none", { code: "message_not_queued", extras: { errors: [{ path: "before" }] } }],
    ["a", "a", { code: "invalid_request", extras: { errors: [{ path: "before" }] } }],
  ])("refuses %s before %s", async (message, before, refusal) => {
    const { engine } = await waiting(["a", "b"]);
    await expect(engine.run("moveQueued", { session: "s", message, before }, TESTER)).rejects.toMatchObject(
      refusal,
    );
    expect(await order(engine)).toEqual(["a", "b"]);
  });

  it("lets a prompt get ahead of one's own, and of others only with the right to that", async () => {
    const { engine } = await waiting(["a", "b", "c"]);
    await engine.run("moveQueued", { session: "s", message: "a", before: null, checks: GUEST }, TESTER);
    expect(await order(engine)).toEqual(["b", "c", "a"]);
    await expect(
      engine.run("moveQueued", { session: "s", message: "a", before: "c", checks: GUEST }, TESTER),
    ).rejects.toMatchObject({
      code: "forbidden",
      extras: { right: "queue.any" },
    });
    expect(await order(engine)).toEqual(["b", "c", "a"]);
    // They came with the token of the daemon.
    const access = { ...OWNER, role: GUEST.access.role };
    await engine.run("moveQueued", { session: "s", message: "a", before: "b", checks: { access } }, TESTER);
    expect(await order(engine)).toEqual(["a", "b", "c"]);
    await engine.run(
      "moveQueued",
      { session: "s", message: "c", before: "a", checks: { access: { ...GUEST.access, role: "operator" } } },
      TESTER,
    );
    expect(await order(engine)).toEqual(["c", "a", "b"]);
  });

  it("holds whatever is moved, changed and withdrawn", async () => {
    const ids = ["a", "b", "c", "d", "e"];
    const id = fc.constantFrom(...ids);
    const act = fc.oneof(
      fc.record({ move: id, before: fc.option(id) }),
      fc.record({ change: id }),
      fc.record({ withdraw: id }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
        const { engine, events, adapter, has } = await waiting(ids);
        let expected = [...ids];
        const attempt = (work: Promise<unknown>) => work.then(() => true).catch(() => false);
        for (const act of acts) {
          if ("move" in act) {
            const { move, before } = act;
            const isPossible =
              expected.includes(move) && move !== before && (before === null || expected.includes(before));
            expect(
              await attempt(engine.run("moveQueued", { session: "s", message: move, before }, TESTER)),
            ).toBe(isPossible);
            if (!isPossible) continue;
            const others = expected.filter((other) => other !== move);
            expected = others.toSpliced(before === null ? others.length : others.indexOf(before), 0, move);
          } else if ("change" in act) {
            expect(
              await attempt(
                engine.run(
                  "changeQueued",
                  { session: "s", message: act.change, parts: text("other") },
                  TESTER,
                ),
              ),
            ).toBe(expected.includes(act.change));
          } else {
            expect(
              await attempt(engine.run("withdrawQueued", { session: "s", message: act.withdraw }, TESTER)),
            ).toBe(expected.includes(act.withdraw));
            expected = expected.filter((other) => other !== act.withdraw);
          }
          expect(await order(engine)).toEqual(expected);
        }
        for (let count = 1; count <= expected.length + 1; count += 1) {
          await until(() => prompted(adapter).length === count);
          adapter.last.say({ type: "turn.ended", outcome: "completed" });
          await has("turn.ended", count);
        }
        expect(prompted(adapter)).toEqual(["first", ...expected]);
        expect(checkLog(await events())).toEqual([]);
        await engine.close();
      }),
      { numRuns: 25 },
    );
  });
});

describe("a prompt that is sent now", () => {
  it("steers the turn where the agent can, from any place in the queue", async () => {
    const { engine, adapter, events } = await waiting(["a", "b"]);
    expect(await engine.run("sendQueued", { session: "s", message: "b" }, TESTER)).toMatchObject({
      message: "b",
      state: "steered",
    });
    await until(() => adapter.last.commands.length === 2);
    expect(adapter.last.commands[1]).toMatchObject({ type: "prompt", message: "b", steer: true });
    expect(await order(engine)).toEqual(["a"]);
    const log = await events();
    expect(log.some(({ type }) => type === "turn.stopping" || type === "prompt.moved")).toBe(false);
    expect(checkLog(log)).toEqual([]);
  });

  it("is the next one and stops the turn where the agent cannot be steered", async () => {
    const { engine, adapter, events, has } = await waiting(["a", "b"], DEAF());
    expect(await engine.run("sendQueued", { session: "s", message: "b" }, TESTER)).toMatchObject({
      message: "b",
      state: "queued",
    });
    await until(() => adapter.last.commands.at(-1)?.type === "interrupt");
    adapter.last.say({ type: "turn.ended", outcome: "interrupted" });
    await has("turn.ended");
    await until(() => prompted(adapter).length === 2);
    expect(prompted(adapter)).toEqual(["first", "b"]);
    expect(await order(engine)).toEqual(["a"]);
    expect(checkLog(await events())).toEqual([]);
  });

  it("does not stop a turn that is being stopped again", async () => {
    const { engine, adapter, events } = await waiting(["a", "b"], DEAF());
    await engine.run("interrupt", { session: "s" }, TESTER);
    await engine.run("sendQueued", { session: "s", message: "b" }, TESTER);
    await until(() => adapter.last.commands.some(({ type }) => type === "interrupt"));
    expect((await events()).filter(({ type }) => type === "turn.stopping")).toHaveLength(1);
    expect(await order(engine)).toEqual(["b", "a"]);
  });

  it("keeps its settings: it gets a turn of its own", async () => {
    const { engine, adapter } = await waiting([]);
    adapter.last.say({
      type: "session.updated",
      settings: [{ id: "effort", name: "Effort", value: "low", choices: [{ id: "low" }, { id: "high" }] }],
    });
    await until(
      async () => (await engine.run("getSession", { session: "s" }, TESTER)).settings !== undefined,
    );
    const prompt = { id: "a", parts: text("a"), whenBusy: "queue" as const, settings: { effort: "high" } };
    await engine.run("prompt", { session: "s", ...prompt }, TESTER);
    expect(await engine.run("sendQueued", { session: "s", message: "a" }, TESTER)).toMatchObject({
      state: "queued",
    });
    await until(() => adapter.last.commands.at(-1)?.type === "interrupt");
  });

  it("is refused before anything is done, where the check says no", async () => {
    const { engine, events } = await waiting(["a", "b"], DEAF());
    const { length } = await events();
    await expect(
      engine.run("sendQueued", { session: "s", message: "b", checks: GUEST }, TESTER),
    ).rejects.toMatchObject({
      code: "forbidden",
      extras: { right: "session.stop" },
    });
    expect(await events()).toHaveLength(length);
  });

  it("is refused when it does not wait any more", async () => {
    const { engine } = await waiting(["a"]);
    await engine.run("sendQueued", { session: "s", message: "a" }, TESTER);
    await expect(engine.run("sendQueued", { session: "s", message: "a" }, TESTER)).rejects.toMatchObject({
      code: "message_not_queued",
    });
    await expect(engine.run("sendQueued", { session: "s", message: "none" }, TESTER)).rejects.toMatchObject({
      code: "message_not_found",
    });
  });
});
