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
    await new Promise((resolve) => setTimeout(resolve, 20));
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
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await pool.acquire("a", start)).resource).toBe(next.resource);
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
