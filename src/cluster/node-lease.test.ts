/** The lease, against a model of the world: nodes that stop and go on, clocks that differ, a database that goes away. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_DRIFT, ModelWorld, TIMES } from "./lease-model.test-support.ts";
import type { LeaseTimes } from "./lease-times.ts";
import { NodeLease } from "./node-lease.ts";

const STEP_MS = 250;
const NODES = 3;

type Step =
  | { do: "pass"; steps: number }
  | { do: "stop" | "continue" | "cut" | "mend" | "claim" | "append" | "disobey"; node: number }
  | { do: "away" | "back" };

const anyNode = fc.nat(NODES - 1);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("pass" as const), steps: fc.integer({ min: 1, max: 80 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom("stop", "continue", "cut", "mend", "claim", "append", "disobey"),
      node: anyNode,
    }) as fc.Arbitrary<Step>,
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("away", "back", "back") }) as fc.Arbitrary<Step> },
);
const anySteps = fc.array(anyStep, { maxLength: 80, size: "max" });
const anySpeeds = fc.array(fc.double({ min: 1 - MAX_DRIFT, max: 1 + MAX_DRIFT, noNaN: true }), {
  minLength: NODES,
  maxLength: NODES,
});

/** Timers of each node fire at their own moments. */
async function pass(world: ModelWorld, milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += STEP_MS) {
    world.now += STEP_MS;
    for (const [index, node] of world.nodes.entries()) {
      if (!node.isStopped) node.lease.check();
      if ((world.now / STEP_MS + index) % (TIMES.beatMs / STEP_MS) === 0) await node.turn();
    }
  }
}

async function begin(speeds: readonly number[], times = TIMES): Promise<ModelWorld> {
  const world = new ModelWorld(speeds, times);
  await pass(world, TIMES.beatMs);
  return world;
}

async function take(world: ModelWorld, step: Step): Promise<void> {
  if (step.do === "pass") return pass(world, step.steps * STEP_MS);
  if (!("node" in step)) {
    world.isAway = step.do === "away";
    return;
  }
  const node = world.nodes[step.node]!;
  if (step.do === "stop") node.isStopped = true;
  else if (step.do === "continue") node.isStopped = false;
  else if (step.do === "cut") node.isCut = true;
  else if (step.do === "mend") node.isCut = false;
  else if (step.do === "claim") node.tryClaim();
  else node.tryAppend(step.do === "disobey");
}

describe("whatever stops, drifts or goes away", () => {
  /** Whether all goes well in worlds with these times. */
  const holds = (times: LeaseTimes) =>
    fc.check(
      fc.asyncProperty(anySpeeds, anySteps, async (speeds, steps) => {
        const world = await begin(speeds, times);
        for (const step of steps) await take(world, step);
        expect(world.violations).toEqual([]);
      }),
      { numRuns: 1000 },
    );

  it("no two nodes work on a session, and nothing is written after a later claim", async () => {
    expect(fc.defaultReportMessage(await holds(TIMES))).toBeUndefined();
  });

  it("which this model would notice: a node that freezes too late is caught", async () => {
    const { failed, counterexample } = await holds({ ...TIMES, freezeMs: 2 * TIMES.deadMs });
    expect(failed).toBe(true);
    expect(counterexample).toBeDefined();
  });

  it("afterwards everything goes on: a session of a node that stays away is claimed by another", async () => {
    await fc.assert(
      fc.asyncProperty(anySpeeds, anySteps, anyNode, async (speeds, steps, gone) => {
        const world = await begin(speeds);
        for (const step of steps) await take(world, step);
        world.isAway = false;
        for (const [index, node] of world.nodes.entries())
          Object.assign(node, { isStopped: index === gone, isCut: false });
        await pass(world, 3 * TIMES.deadMs);
        for (const node of world.nodes) node.tryAppend(false);
        for (const node of world.nodes) node.tryClaim();
        const before = world.log.length;
        for (const node of world.nodes) node.tryAppend(false);
        expect(world.log.length).toBe(before + 1);
        expect(world.violations).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

describe("a node", () => {
  it("that was stopped is frozen before its agents go on, and lost when others have declared it dead", async () => {
    const world = await begin([1, 1, 1]);
    const [node, other] = [world.nodes[0]!, world.nodes[1]!];
    node.tryClaim();
    expect(node.epoch).toBe(1);
    node.isStopped = true;
    await pass(world, 2 * TIMES.deadMs);
    other.tryClaim();
    expect(other.epoch).toBe(2);
    node.isStopped = false;
    expect(node.lease.check()).toBe("frozen");
    node.tryAppend(true);
    expect(node.epoch).toBeUndefined();
    const before = node.id;
    await pass(world, 2 * TIMES.beatMs);
    expect(node.lease.check()).toBe("live");
    expect(node.id).not.toBe(before);
  });

  it("that cannot reach the database freezes, and goes on as it was when it is back", async () => {
    const world = await begin([1, 1, 1]);
    const ids = world.nodes.map(({ id }) => id);
    world.nodes[0]!.tryClaim();
    world.isAway = true;
    await pass(world, 10 * TIMES.deadMs);
    expect(world.nodes.map(({ lease }) => lease.check())).toEqual(["frozen", "frozen", "frozen"]);
    world.isAway = false;
    await pass(world, 2 * TIMES.deadMs);
    expect(world.nodes.map(({ lease }) => lease.check())).toEqual(["live", "live", "live"]);
    expect(world.nodes.map(({ id }) => id)).toEqual(ids);
    expect(world.nodes[0]!.epoch).toBe(1);
  });

  it("whose machine slept counts the time it slept", async () => {
    let [monotonic, wall] = [0, 0];
    const states: string[] = [];
    const left: number[] = [];
    const lease = new NodeLease({
      times: TIMES,
      clock: { monotonic: () => monotonic, wall: () => wall },
      onState: (state) => states.push(state),
      onBeat: (leftMs) => left.push(leftMs),
      table: {
        join: async () => 1,
        beat: async () => true,
        readBeats: async () => [],
        declareDead: async () => false,
      },
    });
    await lease.join();
    monotonic += 10;
    wall += TIMES.freezeMs;
    expect(lease.check()).toBe("frozen");
    await lease.beat();
    // A clock that is set back does not give more time.
    wall = 0;
    monotonic += TIMES.freezeMs;
    expect(lease.check()).toBe("frozen");
    expect(states).toEqual(["live", "frozen", "live", "frozen"]);
    expect(left).toEqual([TIMES.freezeMs, TIMES.freezeMs]);
  });
});
