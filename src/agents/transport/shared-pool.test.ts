import { describe, expect, it } from "vitest";
import { until } from "../../testkit/until.ts";
import { type Sharable, SharedPool } from "./shared-pool.ts";

class Thing implements Sharable {
  isOver = false;

  async end(): Promise<void> {
    this.isOver = true;
  }
}

describe("a thing", () => {
  it("is started once for all that want it at the same time", async () => {
    const pool = new SharedPool<Thing>({ lingerMs: 60_000 });
    let starts = 0;
    const start = async () => {
      starts += 1;
      return new Thing();
    };
    const [one, two, other] = await Promise.all([
      pool.join("a", start),
      pool.join("a", start),
      pool.join("b", start),
    ]);
    expect(starts).toBe(2);
    expect(one.thing).toBe(two.thing);
    expect(other.thing).not.toBe(one.thing);
  });

  it("is ended after the last has left, and kept while one is left or comes back in time", async () => {
    const pool = new SharedPool<Thing>({ lingerMs: 1 });
    const start = async () => new Thing();
    const one = await pool.join("a", start);
    const two = await pool.join("a", start);
    one.leave();
    one.leave();
    const three = await pool.join("a", start);
    two.leave();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(three.thing.isOver).toBe(false);
    three.leave();
    await until(() => three.thing.isOver);
    expect((await pool.join("a", start)).thing).not.toBe(three.thing);
  });

  it("that has died is replaced", async () => {
    const pool = new SharedPool<Thing>({ lingerMs: 1 });
    const start = async () => new Thing();
    const dead = await pool.join("a", start);
    dead.thing.isOver = true;
    const next = await pool.join("a", start);
    expect(next.thing).not.toBe(dead.thing);
    dead.leave();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await pool.join("a", start)).thing).toBe(next.thing);
  });

  it("that does not start fails for all who waited, and is tried again for the next", async () => {
    const pool = new SharedPool<Thing>({ lingerMs: 1 });
    const fail = () => Promise.reject(new Error("no such program"));
    const joining = [pool.join("a", fail), pool.join("a", fail)];
    for (const result of await Promise.allSettled(joining)) {
      expect(result).toMatchObject({ status: "rejected", reason: { message: "no such program" } });
    }
    expect((await pool.join("a", async () => new Thing())).thing.isOver).toBe(false);
  });
});
