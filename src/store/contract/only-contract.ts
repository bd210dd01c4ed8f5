/** Contract: lists that are limited to certain sessions and agents. */
import { describe, expect, it } from "vitest";
import type { AskRow, OnlyThese, Store, UsageIncrement } from "../../core/store.ts";
import type { OpenStore } from "../store-contract.ts";
import { SampleSession } from "./sample-session.ts";

const ask = (n: number): AskRow => ({
  ask: "a1",
  kind: "permission",
  state: "open",
  openedSeq: 1,
  openedAt: 1000 + n,
  opened: JSON.stringify({ text: "x".repeat(100) }),
});

const usage: UsageIncrement = {
  day: "2026-01-31",
  usage: { input: 1 },
  cost: 0,
  turns: 1,
  durationMs: 1,
  waitedMs: 0,
  tools: 0,
  allowed: 0,
  denied: 0,
  asks: 1,
};

/** Sessions `s0` to `s9`, of the agents `even` and `odd`, each with an open ask and usage. */
async function tenSessions(open: OpenStore): Promise<Store> {
  const { store } = await open();
  const samples = Array.from(
    { length: 10 },
    (_, n) => new SampleSession(`s${n}`, { agent: n % 2 === 0 ? "even" : "odd", updatedAt: 1000 + n }),
  );
  await store.append(
    samples.map((sample, n) =>
      sample.batch({ events: 1, asks: [ask(n)], usage: [usage], searchText: "the same words" }),
    ),
  );
  return store;
}

/** What each list has, page by page. */
async function listed(store: Store, only: OnlyThese, filter: { agent?: string; search?: string } = {}) {
  const sessions: string[][] = [];
  const asks: string[][] = [];
  const rows: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await store.listSessions({ limit: 2, only, cursor, ...filter });
    sessions.push(page.sessions.map(({ id }) => id));
    cursor = page.cursor;
  } while (cursor !== undefined);
  do {
    const page = await store.openAsks({ maxBytes: 250, only, cursor });
    asks.push(page.asks.map(({ session }) => session));
    cursor = page.cursor;
  } while (cursor !== undefined);
  do {
    const page = await store.usage({ limit: 2, only, cursor });
    rows.push(page.rows.map(({ session }) => session));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return { sessions, asks, usage: rows.flat() };
}

export function onlyContract(open: OpenStore): void {
  describe("lists of certain sessions", () => {
    it("have these only, in full pages", async () => {
      const store = await tenSessions(open);
      expect(await listed(store, { sessions: ["s1", "s2", "s9", "unknown", "s5"] })).toEqual({
        sessions: [
          ["s9", "s5"],
          ["s2", "s1"],
        ],
        asks: [
          ["s1", "s2"],
          ["s5", "s9"],
        ],
        usage: ["s1", "s2", "s5", "s9"],
      });
    });

    it("or those of certain agents, or those that are both", async () => {
      const store = await tenSessions(open);
      const odd = await listed(store, { agents: ["odd", "unknown"] });
      expect(odd.sessions).toEqual([["s9", "s7"], ["s5", "s3"], ["s1"]]);
      expect(odd.usage).toEqual(["s1", "s3", "s5", "s7", "s9"]);
      const both = await listed(store, { agents: ["odd"], sessions: ["s1", "s2"] });
      expect(both).toEqual({ sessions: [["s1"]], asks: [["s1"]], usage: ["s1"] });
    });

    it("together with the other filters", async () => {
      const store = await tenSessions(open);
      const sessions = ["s1", "s2", "s3"];
      expect((await listed(store, { sessions }, { agent: "odd" })).sessions).toEqual([["s3", "s1"]]);
      expect((await listed(store, { sessions }, { search: "same" })).sessions).toEqual([
        ["s3", "s2"],
        ["s1"],
      ]);
      expect((await listed(store, { sessions }, { search: "s4" })).sessions).toEqual([[]]);
      const { asks } = await store.openAsks({ session: "s4", only: { sessions } });
      expect(asks).toEqual([]);
      expect((await store.usage({ session: "s4", limit: 9, only: { sessions } })).rows).toEqual([]);
    });

    it("are empty where none are named", async () => {
      const store = await tenSessions(open);
      const nothing = { sessions: [[]], asks: [[]], usage: [] };
      expect(await listed(store, { sessions: [] })).toEqual(nothing);
      expect(await listed(store, { agents: [] })).toEqual(nothing);
      expect((await listed(store, {})).sessions.flat()).toHaveLength(10);
    });
  });
}
