/** A node with log-only access to a session ends what is open in it: its files or its agent are elsewhere. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { InterlinguaError } from "../../core/error.ts";
import type { NodeAddress, Ownership, SessionAccess } from "../../core/ownership.ts";
import { soleOwnership } from "../../core/sole-ownership.ts";
import { openStore } from "../../store/open-store.ts";
import { instrumentStore } from "../../testkit/instrument-store.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { create, open, text } from "../engine.test-support.ts";

/** A session whose node died in a turn, with a prompt that waits; and a node with log-only access to it. */
async function openLimited(access: SessionAccess, failures = 0) {
  const stored = await openStore(":memory:");
  let [left, isTakenOver] = [failures, false];
  const store = instrumentStore(stored, {
    loadState: async (session) => {
      if (!isTakenOver || left === 0) return stored.loadState(session);
      left -= 1;
      throw new InterlinguaError("store_busy", "The database does not answer.");
    },
  });
  const first = await open({ store, isKilled: true });
  await create(first.engine);
  for (const id of ["one", "two"])
    await first.engine.run("prompt", { session: "s", id, parts: text(id), whenBusy: "queue" }, TESTER);
  await until(() => first.adapter.last?.commands.length === 1);

  const claims = { granted: 0, released: 0, settled: 0 };
  /** Who can do more with it, once there is somebody. */
  let abler: NodeAddress | undefined;
  const ownership: Ownership = {
    ...soleOwnership(store),
    claim: () => {
      if (abler) return { owner: abler };
      claims.granted += 1;
      return { lostNode: "a", access, isSettled: claims.settled > 0 };
    },
    release: (_session, _claim, isSettled) => {
      claims.released += 1;
      if (isSettled) claims.settled += 1;
    },
  };
  isTakenOver = true;
  // The path is in none of its roots, which is no reason to add one: it would have other files.
  const assertDirectory = () => Promise.reject(new InterlinguaError("outside_roots", "It lies outside."));
  const limited = await open({ store, ownership, assertDirectory });
  const join = (node: NodeAddress) => {
    abler = node;
  };
  return { ...limited, claims, join };
}

const NO_FILES = { is: "log", missing: "files", node: "a" } as const;
const NO_AGENT = { is: "log", missing: "agent" } as const;

it.each([
  ["files", NO_FILES, 'at the node "a"'],
  ["agent", NO_AGENT, 'No node has the agent "scripted"'],
])(
  "without its %s a session is closed and read, but nothing of it begins, and it is let go",
  async (code, access, words) => {
    const { engine, adapter, events, claims } = await openLimited(access);
    const log = await events();
    expect(log.findLast(({ type }) => type === "turn.ended")).toMatchObject({ error: { code: "node_lost" } });
    expect(log.at(-1)).toMatchObject({ type: "notice", code, text: expect.stringContaining(words) });
    await until(() => claims.released === 1);
    expect((await engine.run("getSession", { session: "s" }, TESTER)).waitsFor).toEqual(
      access === NO_FILES ? { node: "a" } : { agent: "scripted" },
    );
    for (const refused of [
      engine.run("prompt", { session: "s", parts: text("three"), whenBusy: "queue" }, TESTER),
      engine.run("attachSession", { session: "s" }, TESTER),
      engine.run("forkSession", { session: "s" }, TESTER),
      engine.run("rewind", { session: "s", before: "one" }, TESTER),
    ])
      await expect(refused).rejects.toMatchObject({
        code: "node_unreachable",
        message: expect.stringContaining(words),
      });
    if (access === NO_FILES)
      await expect(
        engine.run("listChanges", { session: "s" }, TESTER).then(({ changes }) => changes),
      ).rejects.toMatchObject({ code: "checkpoint_elsewhere" });
    expect((await engine.run("listQueue", { session: "s" }, TESTER)).map(({ message }) => message)).toEqual([
      "two",
    ]);
    await until(() => claims.released === claims.granted);
    expect(adapter.sessions).toEqual([]);
    expect(await events()).toEqual(log);
  },
);

it("a session that is asked for all the time is let go all the same", async () => {
  const { engine, claims } = await openLimited(NO_FILES);
  await until(async () => {
    await engine.run("getSession", { session: "s" }, TESTER);
    await sleep(20);
    return claims.released > 0;
  });
});

it("a node with log-only access that is asked for more looks for a node that can do it", async () => {
  const { engine, adapter, join } = await openLimited(NO_FILES);
  await engine.run("getSession", { session: "s" }, TESTER);
  join({ id: 2, name: "a" });
  await expect(
    engine.run("prompt", { session: "s", parts: text("three"), whenBusy: "queue" }, TESTER),
  ).rejects.toMatchObject({
    code: "not_owner",
    extras: { owner: { id: 2, name: "a" } },
  });
  expect(adapter.sessions).toEqual([]);
});

it("a prompt that was accepted before has its receipt from a node with log-only access, too", async () => {
  const { engine } = await openLimited(NO_AGENT);
  const again = { id: "two", parts: text("two"), whenBusy: "queue" as const };
  expect(await engine.run("prompt", { session: "s", ...again }, TESTER)).toMatchObject({
    message: "two",
    state: "queued",
  });
});

it("a node that cannot read the session for a moment does not count as having settled it", async () => {
  const { engine, claims, events, has } = await openLimited(NO_FILES, 1);
  expect(claims).toEqual({ granted: 1, released: 1, settled: 0 });
  await engine.run("getSession", { session: "s" }, TESTER);
  await has("turn.ended");
  expect((await events()).find(({ type }) => type === "turn.ended")).toMatchObject({
    error: { code: "node_lost" },
  });
  await until(() => claims.settled === 1);
});
