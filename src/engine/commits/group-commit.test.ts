import { describe, expect, it } from "vitest";
import type { SessionAppend } from "../../core/store.ts";
import { type CommitSource, GroupCommit } from "./group-commit.ts";

/** Counts what is committed in how many commits. */
function setUp() {
  const commits: number[] = [];
  const commit = new GroupCommit(
    {
      append: async (batch) => {
        commits.push(batch.length);
        return { refused: [] };
      },
      getSession: async () => undefined,
    },
    { maxPendingBytes: 1000 },
  );
  const committed = Promise.withResolvers<void>();
  let isNew = false;
  const source: CommitSource = {
    collect() {
      if (!isNew) return undefined;
      isNew = false;
      return { events: [] } as unknown as SessionAppend;
    },
    committed: () => committed.resolve(),
    failed: () => {},
  };
  const say = (later: boolean, bytes = 10) => {
    isNew = true;
    if (later) commit.touchLater(source, bytes);
    else commit.touch(source, bytes);
  };
  return { commit, commits, committed: committed.promise, say };
}

describe("what nobody waits for", () => {
  it("is committed with what follows it", async () => {
    const { commit, commits, say } = setUp();
    say(true);
    say(false);
    await commit.settled();
    expect(commits).toEqual([1]);
    expect(commit.pendingBytes).toBe(0);
  });

  it("is committed by itself when nothing follows", async () => {
    const { commits, committed, say } = setUp();
    say(true);
    await committed;
    expect(commits).toEqual([1]);
  });

  it("is committed before anybody relies on a settled log", async () => {
    const { commit, commits, say } = setUp();
    say(true);
    await commit.settled();
    expect(commits).toEqual([1]);
  });

  it("does not wait when there is much of it", async () => {
    const { commit, commits, say } = setUp();
    say(true, 100 * 1024);
    const room = commit.room();
    expect(room).toBeInstanceOf(Promise);
    await room;
    expect(commits).toEqual([1]);
  });
});

describe("a session that fails while its data are collected", () => {
  it("does not end the commits of the others", async () => {
    const commits: number[] = [];
    const failures: unknown[] = [];
    const commit = new GroupCommit(
      {
        append: async (batch) => {
          commits.push(batch.length);
          return { refused: [] };
        },
        getSession: async () => undefined,
      },
      { maxPendingBytes: 1000 },
    );
    const source = (collect: CommitSource["collect"], committed = () => {}): CommitSource => ({
      collect,
      committed,
      failed: (error) => failures.push(error),
    });
    const fine = () => ({ events: [] }) as unknown as SessionAppend;
    const fail = () => {
      throw new RangeError("Invalid string length");
    };
    commit.touch(source(fail), 1);
    commit.touch(source(fine, fail), 1);
    commit.touch(source(fine), 1);
    await commit.settled();
    expect(commits).toEqual([2]);
    expect(failures).toEqual([
      new RangeError("Invalid string length"),
      new RangeError("Invalid string length"),
    ]);
  });
});

it("a store that was unavailable does not stay so when it refuses what it is given next", async () => {
  const failures = [Object.assign(new Error("disk full"), { retryable: true }), new Error("does not follow")];
  const given: unknown[] = [];
  const commit = new GroupCommit(
    {
      append: async () => {
        throw failures.shift()!;
      },
      getSession: async () => undefined,
    },
    { maxPendingBytes: 1000, retryMs: 1 },
  );
  commit.touch(
    {
      hasEnded: false,
      collect: () => ({ events: [] }) as unknown as SessionAppend,
      committed: () => {},
      failed: (error) => given.push(error),
    },
    10,
  );
  await commit.settled();
  expect(given).toHaveLength(1);
  expect(commit.problem).toBeUndefined();
});

it("a session whose log became shorter is given up and told why; the others of the commit are committed", async () => {
  const commit = new GroupCommit(
    {
      append: async () => ({ refused: [], cutShort: [{ session: "short", acknowledged: 9, head: 4 }] }),
      getSession: async () => undefined,
    },
    { maxPendingBytes: 1000 },
  );
  const outcomes: Record<string, string> = {};
  for (const session of ["short", "whole"]) {
    let append: SessionAppend | undefined = { session, events: [] } as unknown as SessionAppend;
    const source: CommitSource = {
      collect() {
        const collected = append;
        append = undefined;
        return collected;
      },
      committed() {
        outcomes[session] = "committed";
      },
      failed(error) {
        outcomes[session] = (error as { code: string }).code;
      },
    };
    commit.touch(source, 10);
  }
  await commit.settled();
  expect(outcomes).toEqual({ short: "events_lost", whole: "committed" });
});
