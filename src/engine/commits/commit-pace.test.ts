import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SessionAppend } from "../../core/store.ts";
import { CommitPace } from "./commit-pace.ts";
import { type CommitSource, GroupCommit } from "./group-commit.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Sessions whose agents stream, on a store that takes `latencyMs` for each commit. */
function setUp(latencyMs: number, pace?: CommitPace) {
  const commits: { at: number; events: number }[] = [];
  const commit = new GroupCommit(
    {
      append: async (batch) => {
        commits.push({
          at: performance.now(),
          events: batch.reduce((sum, { events }) => sum + events.length, 0),
        });
        if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs));
        return { refused: [] };
      },
      getSession: async () => undefined,
    },
    { maxPendingBytes: 1_000_000, pace },
  );
  /** How long each event took from the agent to the disk. */
  const delays: number[] = [];
  const session = () => {
    let waiting: number[] = [];
    let collected: number[] = [];
    const source: CommitSource = {
      collect() {
        if (waiting.length === 0) return undefined;
        [collected, waiting] = [waiting, []];
        return { events: collected } as unknown as SessionAppend;
      },
      committed() {
        delays.push(...collected.map((at) => performance.now() - at));
      },
      failed: () => {},
    };
    return (urgent = false, bytes = 200) => {
      waiting.push(performance.now());
      if (urgent) commit.touch(source, bytes);
      else commit.touchSoon(source, bytes);
    };
  };
  return { commit, commits, delays, session };
}

/** Each session says something `rate` times a second, not all at the same moment. */
async function stream(says: readonly (() => void)[], rate: number, ms: number): Promise<void> {
  const gap = 1000 / rate;
  const timers = says.flatMap((say, place) =>
    Array.from({ length: Math.floor(ms / gap) }, (_, n) =>
      setTimeout(say, n * gap + (place * gap) / says.length),
    ),
  );
  await vi.advanceTimersByTimeAsync(ms + 100);
  for (const timer of timers) clearTimeout(timer);
}

describe("24 sessions that stream 80 events a second each made 650 commits a second", () => {
  it.each([1, 3])("a store that takes %i ms gets fewer than 200", async (latencyMs) => {
    const { commits, delays, session } = setUp(latencyMs, new CommitPace());
    await stream(Array.from({ length: 24 }, session), 80, 2000);
    expect(delays).toHaveLength(24 * 80 * 2);
    expect(commits.length).toBeLessThan(2 * 200);
    expect(Math.max(...delays)).toBeLessThanOrEqual(10 + 2 * latencyMs);
  });

  it("a store that is slow gets fewer still", async () => {
    const [fast, slow] = [setUp(1, new CommitPace()), setUp(6, new CommitPace())];
    await stream(Array.from({ length: 24 }, fast.session), 80, 2000);
    await stream(Array.from({ length: 24 }, slow.session), 80, 2000);
    expect(slow.commits.length).toBeLessThan(fast.commits.length * 0.7);
  });

  it("without a pace every one is written at once", async () => {
    const { commits, session } = setUp(1);
    await stream(Array.from({ length: 24 }, session), 80, 2000);
    expect(commits.length).toBeGreaterThan(2 * 600);
  });
});

describe("with a pace", () => {
  it("the first event after a pause is committed at once", async () => {
    const { commits, delays, session } = setUp(1, new CommitPace());
    const says = Array.from({ length: 24 }, session);
    await stream(says, 80, 1000);
    const { length } = delays;
    commits.splice(0);
    const said = performance.now();
    says[0]!();
    await vi.advanceTimersByTimeAsync(50);
    expect(commits).toEqual([{ at: said, events: 1 }]);
    expect(delays.slice(length)).toEqual([1]);
  });

  it("one session is never delayed", async () => {
    const [paced, unpaced] = [setUp(1, new CommitPace()), setUp(1)];
    await stream([paced.session()], 80, 2000);
    await stream([unpaced.session()], 80, 2000);
    expect(paced.delays).toHaveLength(160);
    expect(paced.delays).toEqual(unpaced.delays);
  });

  it("what somebody waits for is committed at once, with what waits", async () => {
    const { commit, commits, session } = setUp(0, new CommitPace());
    const [say, ask] = [session(), session()];
    await spendCredit(say);
    const { length } = commits;
    say();
    await nextTick();
    expect(commits).toHaveLength(length);
    ask(true);
    await nextTick();
    expect(commits.slice(length)).toEqual([{ at: performance.now(), events: 2 }]);
    expect(commit.pendingBytes).toBe(0);
  });

  it("much of it does not wait", async () => {
    const { commits, session } = setUp(0, new CommitPace());
    const say = session();
    await spendCredit(say);
    const { length } = commits;
    say(false, 100_000);
    await nextTick();
    expect(commits).toHaveLength(length + 1);
  });

  it("a settled log does not wait either", async () => {
    const { commit, commits, session } = setUp(0, new CommitPace());
    const say = session();
    await spendCredit(say);
    const { length } = commits;
    say();
    void commit.settled();
    await nextTick();
    expect(commits).toHaveLength(length + 1);
  });
});

/** No time passes. */
function nextTick() {
  return vi.advanceTimersByTimeAsync(0);
}

async function spendCredit(say: () => void): Promise<void> {
  for (let n = 0; n < 8; n += 1) {
    say();
    await nextTick();
  }
}
