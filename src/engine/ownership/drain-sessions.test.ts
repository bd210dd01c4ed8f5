/** A node that is told to go: what leaves at once, what may end, and what nobody begins here any more. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import type { Claim, Ownership } from "../../core/ownership.ts";
import { emptyState } from "../../core/session-state.ts";
import type { Store } from "../../core/store.ts";
import { openStore } from "../../store/open-store.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { create, open, permission, text } from "../engine.test-support.ts";
import { SharedClaims } from "../files/shared-claims.test-support.ts";
import type { SessionActor } from "../session/session-actor.ts";
import { drainSessions } from "./drain-sessions.ts";

const prompt = (id: string) => ({ id, parts: text(id), whenBusy: "queue" as const });

/** What happened, in its order: types of committed events, and `released`. */
async function node(limits = {}) {
  const order: string[] = [];
  const claims = new SharedClaims(slowStore(await openStore(":memory:"), order));
  const member = claims.join("a");
  const ownership: Ownership = Object.assign(Object.create(member.ownership) as Ownership, {
    nodeName: "a",
    release: (session: string, claim: Claim | undefined) => {
      order.push("released");
      return member.ownership.release(session, claim);
    },
  });
  const opened = await open({ ...member, ownership, limits });
  return { claims, order, ...opened };
}

/** Commits take long enough for everything else to happen first. */
function slowStore(store: Store, order: string[]): Store {
  return new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (name !== "append") return typeof value === "function" ? value.bind(target) : value;
      return async (batches: Parameters<Store["append"]>[0]) => {
        await sleep(30);
        const refused = await target.append(batches);
        for (const { events } of batches) order.push(...events.map(({ event }) => event!.type));
        return refused;
      };
    },
  });
}

it("sessions without an agent, and with an idle one, go at once", async () => {
  const { claims, engine, adapter, events } = await node();
  await create(engine);
  await create(engine, "t");
  await engine.run("prompt", { session: "s", ...prompt("u1") }, TESTER);
  await until(() => adapter.last?.commands.length === 1);
  adapter.last.say({ type: "turn.ended", outcome: "completed" });
  await until(async () => (await engine.run("getSession", { session: "s" }, TESTER)).status === "idle");
  await engine.drain();
  expect([claims.ownerOf("s"), claims.ownerOf("t")]).toEqual([undefined, undefined]);
  expect((await events()).at(-1)).toMatchObject({ type: "session.detached", reason: "idle" });
  expect(engine.stats()).toMatchObject({ liveSessions: 0, attachedAgents: 0 });
});

it("a turn may end; what waits behind it does not begin here, and goes with the session", async () => {
  const { claims, engine, adapter, events } = await node();
  await create(engine);
  await engine.run("prompt", { session: "s", ...prompt("u1") }, TESTER);
  await until(() => adapter.last?.commands.length === 1);
  adapter.last.say(...permission);
  await engine.run("prompt", { session: "s", ...prompt("u2") }, TESTER);
  const drained = engine.drain();
  // It is ours until then: it is answered, and takes prompts.
  await until(async () => (await engine.run("listAsks", { session: "s" }, TESTER)).asks.length === 1);
  await engine.run("prompt", { session: "s", ...prompt("u3") }, TESTER);
  const ask = (await engine.run("listAsks", { session: "s" }, TESTER)).asks[0]!.ask;
  await engine.run("replyToAsk", { session: "s", ask, reply: "once" }, TESTER);
  expect(claims.ownerOf("s")).toBe("a");
  adapter.last.say({ type: "turn.ended", outcome: "completed" });
  await drained;
  expect(claims.ownerOf("s")).toBeUndefined();
  const log = await events();
  expect(checkLog(log)).toEqual([]);
  expect(log.filter(({ type }) => type === "prompt.dispatched")).toHaveLength(1);
  expect(adapter.sessions).toHaveLength(1);

  const next = await open(claims.join("b"));
  await until(() => next.adapter.last?.commands.length === 1);
  expect(next.adapter.last.commands).toEqual([expect.objectContaining({ message: "u2" })]);
});

it("a turn that takes too long is interrupted, and that is committed before anybody else may have it", async () => {
  const { order, engine, adapter, events } = await node({ drainMs: 0 });
  await create(engine);
  await engine.run("prompt", { session: "s", ...prompt("u1") }, TESTER);
  await until(() => adapter.last?.commands.length === 1);
  await engine.drain();
  expect(order.indexOf("turn.ended")).toBeGreaterThan(0);
  expect(order.indexOf("released")).toBeGreaterThan(order.indexOf("turn.ended"));
  const log = await events();
  expect(checkLog(log, { complete: true })).toEqual([]);
  expect(log.find(({ type }) => type === "turn.ended")).toMatchObject({
    outcome: "interrupted",
    error: { code: "node_draining" },
  });
});

it("a turn that takes too long leaves with all that was captured of it", async () => {
  const captured = Promise.withResolvers<void>();
  const order: string[] = [];
  const log = {
    isCommitted: false,
    hasEnded: false,
    flush: async () => {
      setTimeout(() => captured.resolve(), 0);
    },
  };
  const state = emptyState("s");
  const actor = { log, state, steps: { drain() {} }, stop: async () => {} } as unknown as SessionActor;
  const live = [actor];
  const sessions = {
    all: async () => live,
    letGo: async () => void order.push(`released: ${log.isCommitted} ${live.pop() === actor}`),
  };
  const logger = { error() {}, warn() {}, info() {} };
  const drained = drainSessions({ sessions, limitMs: 0, logger });
  await captured.promise;
  expect(order).toEqual([]);
  log.isCommitted = true;
  await drained;
  expect(order).toEqual(["released: true true"]);
});

it("the feed is told where a session is, and that it is nowhere", async () => {
  const { engine } = await node();
  const told: (string | undefined)[] = [];
  engine.followAll((change) => void told.push("deleted" in change ? "deleted" : change.node));
  await create(engine);
  await engine.drain();
  expect(told).toEqual(["a", undefined]);
});
