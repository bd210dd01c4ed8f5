/** What engines do with sessions that are theirs, another's, or not theirs any more. */
import { expect, it } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import { InterlinguaError } from "../../core/error.ts";
import type { Ownership } from "../../core/ownership.ts";
import { openStore } from "../../store/open-store.ts";
import { instrumentStore } from "../../testkit/instrument-store.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { create, open, permission, text } from "../engine.test-support.ts";
import { SharedClaims } from "../files/shared-claims.test-support.ts";

async function twoNodes() {
  const store = await openStore(":memory:");
  const claims = new SharedClaims(store);
  const [a, b] = [claims.join("a"), claims.join("b")];
  return { store, claims, a, b };
}

const prompt = (id: string) => ({ id, parts: text(id), whenBusy: "queue" as const });

it("a session of another node is refused, and the refusal names that node", async () => {
  const { a, b } = await twoNodes();
  const first = await open(a);
  const second = await open(b);
  await create(first.engine);
  const refused = second.engine.run("prompt", { session: "s", ...prompt("u1") }, TESTER);
  await expect(refused).rejects.toMatchObject({ code: "not_owner", status: 421 });
  await expect(refused).rejects.toThrow('is at the node "a"');
  await expect(second.engine.run("getSession", { session: "nothing" }, TESTER)).rejects.toMatchObject({
    code: "session_not_found",
  });
});

it("a session nobody uses is released, and another node may have it", async () => {
  const { claims, a, b } = await twoNodes();
  const first = await open({ ...a, limits: { unloadMs: 0 } });
  const second = await open(b);
  await create(first.engine);
  await until(() => claims.ownerOf("s") === undefined);
  await second.engine.run("updateSession", { session: "s", title: "mine" }, TESTER);
  expect(claims.ownerOf("s")).toBe("b");
});

it("a taken-over session ends its turn as lost, sends nothing again, and goes on with what waits", async () => {
  const { claims, a, b } = await twoNodes();
  const first = await open({ ...a, isKilled: true });
  await create(first.engine);
  await first.engine.run("prompt", { session: "s", ...prompt("u1") }, TESTER);
  await until(() => first.adapter.last?.commands.length === 1);
  first.adapter.last.say(...permission);
  await first.has("ask.opened");
  await first.engine.run("prompt", { session: "s", ...prompt("u2") }, TESTER);
  const second = await open(b);
  expect(second.adapter.sessions).toEqual([]);

  a.die();
  await b.listener().orphaned(await b.ownership.findOrphans());
  await until(() => second.adapter.last?.commands.length === 1);
  expect(claims.ownerOf("s")).toBe("b");
  expect(second.adapter.last.commands).toEqual([expect.objectContaining({ type: "prompt", message: "u2" })]);
  const log = await second.events();
  const ended = log.find((event) => event.type === "turn.ended");
  expect(ended).toMatchObject({ outcome: "interrupted", error: { code: "node_lost" }, delivery: "known" });
  expect(ended).toMatchObject({ error: { message: expect.stringContaining('The node "a" was lost') } });
  expect(checkLog(log)).toEqual([]);

  // The first one does not know yet, and its agent goes on.
  const { head } = await second.engine.run("getSession", { session: "s" }, TESTER);
  const old = first.adapter.last;
  old.say({ type: "text.delta", part: "p", delta: "too late" });
  const late = first.engine.run("updateSession", { session: "s", title: "too late" }, TESTER);
  await expect(late).rejects.toMatchObject({ code: "session_moved", status: 503 });
  await until(() => first.engine.stats().liveSessions === 0);
  expect(() => old.send({ type: "interrupt" })).toThrow("Session is closed");
  await expect(first.engine.run("getSession", { session: "s" }, TESTER)).rejects.toMatchObject({
    code: "not_owner",
  });
  expect((await second.engine.run("getSession", { session: "s" }, TESTER)).head).toBe(head);
  expect(first.engine.health().ok).toBe(true);
});

it("a node that was declared dead gives everything up and takes it anew", async () => {
  const { a, store } = await twoNodes();
  const { engine, adapter, events } = await open(a);
  await create(engine);
  await engine.run("prompt", { session: "s", ...prompt("u1") }, TESTER);
  await until(() => adapter.last?.commands.length === 1);
  const old = adapter.last;
  const waiting = engine.run("prompt", { session: "s", ...prompt("u2") }, TESTER);
  await waiting;
  await a.listener().lost();
  expect(() => old.send({ type: "interrupt" })).toThrow("Session is closed");
  expect(engine.stats().liveSessions).toBe(0);
  expect((await store.getSession("s"))?.status).toBe("running");
  await a.listener().orphaned(["s"]);
  await until(() => adapter.sessions.length === 2 && adapter.last.commands.length === 1);
  expect(adapter.last.commands).toEqual([expect.objectContaining({ message: "u2" })]);
  expect(checkLog(await events())).toEqual([]);
});

it("while it is suspended nothing is written or acknowledged, and commands are refused", async () => {
  const { a, store } = await twoNodes();
  const { engine, adapter, has } = await open(a);
  await create(engine);
  await engine.run("prompt", { session: "s", ...prompt("u1") }, TESTER);
  await until(() => adapter.last?.commands.length === 1);
  const { resume } = a.suspend();
  expect(engine.health()).toMatchObject({ ok: false });
  await expect(engine.run("prompt", { session: "s", ...prompt("u2") }, TESTER)).rejects.toMatchObject({
    code: "store_unavailable",
  });
  adapter.last.say(
    { type: "text.delta", part: "p", delta: "kept" },
    { type: "turn.ended", outcome: "completed" },
  );
  // It stops the turn without the log, which takes it down later.
  const stopped = engine.run("interrupt", { session: "s" }, TESTER).then(({ interrupted }) => interrupted);
  await Promise.resolve();
  expect((await store.getSession("s"))?.status).toBe("running");
  resume();
  await stopped;
  await has("turn.ended");
  expect(engine.health()).toEqual({ ok: true });
});

it("a command that waits when it is suspended is refused, and may still be done afterwards", async () => {
  const { a } = await twoNodes();
  const gate = Promise.withResolvers<void>();
  let isStalled = false;
  const store = instrumentStore(a.store, {
    append: async (batch) => {
      if (isStalled) await gate.promise;
      return a.store.append(batch);
    },
  });
  const { engine, events } = await open({ ...a, store });
  await create(engine);
  isStalled = true;
  const waiting = engine.run("updateSession", { session: "s", title: "given" }, TESTER);
  const refused = expect(waiting).rejects.toMatchObject({
    code: "store_unavailable",
    message: expect.stringContaining("may then still do what was asked"),
  });
  // It is on its way to the store.
  await until(() => engine.stats().pendingBytes > 0);
  const { resume } = a.suspend();
  await refused;
  resume();
  gate.resolve();
  await until(async () => (await events()).at(-1)?.type === "session.updated");
  expect(await engine.run("getSession", { session: "s" }, TESTER)).toMatchObject({ title: "given" });
});

it("an engine that is closed while it is suspended does not wait", async () => {
  const { a, store } = await twoNodes();
  const { engine, adapter } = await open(a);
  await create(engine);
  await engine.run("prompt", { session: "s", ...prompt("u1") }, TESTER);
  await until(() => adapter.last?.commands.length === 1);
  a.suspend();
  await engine.close();
  expect((await store.getSession("s"))?.status).toBe("running");
});

it("values of env that were replaced at another node are asked for again", async () => {
  const { claims, a, b } = await twoNodes();
  const first = await open({ ...a, limits: { unloadMs: 0 } });
  const second = await open({ ...b, limits: { unloadMs: 0 } });
  await create(first.engine, "s", { env: { KEY: "1" } });
  await until(() => claims.ownerOf("s") === undefined);
  // Nobody else had it: they are still known.
  expect(await first.engine.run("getSession", { session: "s" }, TESTER)).not.toMatchObject({
    envRequired: true,
  });
  await until(() => claims.ownerOf("s") === undefined);
  await second.engine.run("updateSession", { session: "s", env: { KEY: "2" } }, TESTER);
  await until(() => claims.ownerOf("s") === undefined);
  expect(await first.engine.run("getSession", { session: "s" }, TESTER)).toMatchObject({ envRequired: true });
  await expect(first.engine.run("prompt", { session: "s", ...prompt("u1") }, TESTER)).rejects.toMatchObject({
    code: "env_required",
  });
});

it("a session does not get the values of one with its id that was deleted at another node", async () => {
  const { claims, a, b } = await twoNodes();
  const first = await open(a);
  const second = await open(b);
  await create(first.engine, "s", { env: { KEY: "of-the-other-session" } });
  a.die();
  await second.engine.run("deleteSession", { session: "s" }, TESTER);
  expect(claims.ownerOf("s")).toBeUndefined();
  await first.engine.run("updateSession", { session: "s", title: "too late" }, TESTER).catch(() => {});
  await until(() => first.engine.stats().liveSessions === 0);
  await create(first.engine);
  await first.engine.run("prompt", { session: "s", ...prompt("u1") }, TESTER);
  await until(() => first.adapter.last?.commands.length === 1);
  expect(first.adapter.last.options.environment).toEqual({});
});

it("a session whose claim is refused is not written, and its values are forgotten", async () => {
  const { a, store } = await twoNodes();
  let isRefused = true;
  const ownership: Ownership = {
    ...a.ownership,
    claimNew: (session) => {
      if (isRefused) throw new InterlinguaError("shutting_down", "This node is going away.");
      return a.ownership.claimNew(session);
    },
  };
  const { engine, adapter } = await open({ ...a, ownership });
  const env = { KEY: "of-the-refused-one" };
  await expect(create(engine, "s", { env })).rejects.toMatchObject({ code: "shutting_down" });
  isRefused = false;
  await create(engine, "other");
  expect(await store.getSession("s")).toBeUndefined();
  expect(engine.stats().liveSessions).toBe(1);
  await create(engine);
  await engine.run("prompt", { session: "s", ...prompt("u1") }, TESTER);
  await until(() => adapter.last?.commands.length === 1);
  expect(adapter.last.options.environment).toEqual({});
});

it("of orphans those count as failed that no other node has", async () => {
  const { a, b } = await twoNodes();
  const store = instrumentStore(b.store, {
    loadState: (session) =>
      session === "broken" ? Promise.reject(new Error("damaged")) : b.store.loadState(session),
  });
  const first = await open({ ...a, isKilled: true });
  await open({ ...b, store });
  for (const id of ["s", "broken"]) await create(first.engine, id);
  expect(await b.listener().orphaned(["s", "broken"])).toEqual([]);
  a.die();
  expect(await b.listener().orphaned(["s", "broken"])).toEqual(["broken"]);
});

it("a node that is closed claims nothing more, also of what it is just taking over", async () => {
  const { claims, a, b } = await twoNodes();
  const first = await open({ ...a, isKilled: true });
  for (const id of ["s", "t"]) {
    await create(first.engine, id);
    await first.engine.run("prompt", { session: id, ...prompt(`${id}1`) }, TESTER);
  }
  await until(() => first.adapter.sessions.length === 2);
  const reading = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const store = instrumentStore(b.store, {
    loadState: async (session) => {
      begun.resolve();
      await reading.promise;
      return b.store.loadState(session);
    },
  });
  const second = await open({ ...b, store });
  a.die();
  const takingUp = b.listener().orphaned(["s", "t"]);
  await begun.promise;
  const closing = second.engine.close();
  reading.resolve();
  await Promise.all([takingUp, closing]);
  expect(claims.ownerOf("t")).toBe("a");
  await expect(second.engine.run("getSession", { session: "t" }, TESTER)).rejects.toMatchObject({
    code: "shutting_down",
  });
  expect(claims.ownerOf("t")).toBe("a");
});
