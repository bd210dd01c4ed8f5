import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { until } from "../../testkit/until.ts";
import { type Sharable, SharedPool } from "./shared-pool.ts";

class Resource implements Sharable {
  isOver = false;

  async end(): Promise<void> {
    this.isOver = true;
  }
}

describe("a resource", () => {
  it("is started once for all that want it at the same time", async () => {
    const pool = new SharedPool<Resource>({ lingerMs: 60_000 });
    let starts = 0;
    const start = async () => {
      starts += 1;
      return new Resource();
    };
    const [one, two, other] = await Promise.all([
      pool.acquire("a", start),
      pool.acquire("a", start),
      pool.acquire("b", start),
    ]);
    expect(starts).toBe(2);
    expect(one.resource).toBe(two.resource);
    expect(other.resource).not.toBe(one.resource);
  });

  it("is ended after the last has left, and kept while one is left or comes back in time", async () => {
    const pool = new SharedPool<Resource>({ lingerMs: 1 });
    const start = async () => new Resource();
    const one = await pool.acquire("a", start);
    const two = await pool.acquire("a", start);
    one.release();
    one.release();
    const three = await pool.acquire("a", start);
    two.release();
    await sleep(20);
    expect(three.resource.isOver).toBe(false);
    three.release();
    await until(() => three.resource.isOver);
    expect((await pool.acquire("a", start)).resource).not.toBe(three.resource);
  });

  it("that has died is replaced", async () => {
    const pool = new SharedPool<Resource>({ lingerMs: 1 });
    const start = async () => new Resource();
    const dead = await pool.acquire("a", start);
    dead.resource.isOver = true;
    const next = await pool.acquire("a", start);
    expect(next.resource).not.toBe(dead.resource);
    dead.release();
    await sleep(20);
    expect((await pool.acquire("a", start)).resource).toBe(next.resource);
  });

  it("that hangs in its start is stopped when the last who waited has left", async () => {
    const pool = new SharedPool<Resource>({ lingerMs: 60_000 });
    let stopped = false;
    const hang = (signal: AbortSignal) =>
      new Promise<Resource>((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          stopped = true;
          reject(signal.reason);
        });
      });
    const [one, two] = [new AbortController(), new AbortController()];
    const waiting = [pool.acquire("a", hang, one.signal), pool.acquire("a", hang, two.signal)];
    const results = Promise.allSettled(waiting);
    one.abort(new Error("one is late"));
    await expect(waiting[0]).rejects.toThrow("one is late");
    expect(stopped).toBe(false);
    two.abort(new Error("two is late"));
    await expect(waiting[1]).rejects.toThrow("two is late");
    expect(stopped).toBe(true);
    await results;
    expect((await pool.acquire("a", async () => new Resource())).resource.isOver).toBe(false);
  });

  it("that is ready after nobody wants it any more is ended", async () => {
    const pool = new SharedPool<Resource>({ lingerMs: 60_000 });
    const started = Promise.withResolvers<Resource>();
    const late = new AbortController();
    const waiting = pool.acquire("a", () => started.promise, late.signal);
    late.abort(new Error("late"));
    await expect(waiting).rejects.toThrow("late");
    const resource = new Resource();
    started.resolve(resource);
    await until(() => resource.isOver);
  });

  it("that does not start fails for all who waited, and is tried again for the next", async () => {
    const pool = new SharedPool<Resource>({ lingerMs: 1 });
    const fail = () => Promise.reject(new Error("no such program"));
    const joining = [pool.acquire("a", fail), pool.acquire("a", fail)];
    for (const result of await Promise.allSettled(joining)) {
      expect(result).toMatchObject({ status: "rejected", reason: { message: "no such program" } });
    }
    expect((await pool.acquire("a", async () => new Resource())).resource.isOver).toBe(false);
  });
});
