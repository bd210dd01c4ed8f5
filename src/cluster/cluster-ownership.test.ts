/** What a node takes: which orphans it is offered, round by round, and when it takes nothing. */
import { expect, it } from "vitest";
import { ClusterOwnership, type ClusterOwnershipOptions } from "./cluster-ownership.ts";
import type { OrphanQuery } from "./session-claims.ts";

const none = async () => undefined;

/** A node that lives and finds nothing. */
function open(
  { findOrphans }: Partial<ClusterOwnershipOptions["claims"]> = {},
  now = () => 0,
): ClusterOwnership {
  return new ClusterOwnership({
    name: "a",
    lease: { node: 1, check: () => "live" },
    claims: {
      findOrphans: findOrphans ?? (async () => []),
      ...{ claim: none, findOwner: none, release: async () => {}, findOwned: async () => [] },
    },
    processes: { freeze() {}, freezeIn() {}, thaw() {}, async endAll() {} },
    now,
  });
}

it("a node that has lost touch with the database makes no session", () => {
  const ownership = open();
  ownership.note("frozen");
  expect(() => ownership.claimNew("s")).toThrow("lost touch with the database");
  expect(ownership.has("s")).toBe(false);
  ownership.note("live");
  expect(ownership.claimNew("s")).toEqual({ node: 1, epoch: 0 });
});

it("many sessions that cannot be taken over do not keep younger ones waiting for ever", async () => {
  const ids = Array.from({ length: 700 }, (_, index) => `s${index}`);
  let now = 0;
  const findOrphans = async (_node: number, { except = [], after, limit }: OrphanQuery) => {
    const from = after === undefined ? 0 : ids.indexOf(after) + 1;
    return ids.filter((id, index) => index >= from && !except.includes(id)).slice(0, limit);
  };
  const ownership = open({ findOrphans }, () => now);
  const offered = new Map<string, number[]>();
  ownership.listen({
    suspended: () => {},
    lost: async () => {},
    // Each of them fails.
    async orphaned(sessions) {
      for (const id of sessions) offered.set(id, [...(offered.get(id) ?? []), now]);
      return sessions;
    },
  });
  for (let round = 0; round < 100; round += 1) {
    await ownership.takeUpOrphans();
    now += 2000;
  }
  expect(offered.size).toBe(ids.length);
  for (const [, times] of offered) {
    // Again and again, but not at once.
    expect(times.length).toBeGreaterThan(1);
    for (const [index, time] of times.slice(1).entries())
      expect(time - times[index]!).toBeGreaterThanOrEqual(30_000);
  }
});

it("a session that another node took first and lost again is offered in the next round", async () => {
  const ownership = open({
    findOrphans: async (_node, { except = [] }) => (except.includes("s") ? [] : ["s"]),
  });
  let rounds = 0;
  ownership.listen({
    suspended: () => {},
    lost: async () => {},
    async orphaned() {
      rounds += 1;
      return [];
    },
  });
  await ownership.takeUpOrphans();
  await ownership.takeUpOrphans();
  expect(rounds).toBe(2);
});
