/** Starting: from nothing to healthy, the memory then, and sessions, with their agents and without. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Benchmark } from "../harness/benchmark.ts";
import { clock } from "../harness/clock.ts";
import { compareStarts } from "./field.ts";
import { memoryOf } from "./process-usage.ts";

export const peerStart: Benchmark = {
  name: "peer-start",
  summary: "start to healthy, idle memory, sessions one after the other and at once",
  async run({ rounds, size, against }) {
    const few = size(10, 1);
    const atOnce = size(50, 2);
    const many = size(200, 2);
    const units = {
      "start to healthy": "ms",
      "idle memory": "MB",
      "session without its agent, one after the other": "ms each",
      "50 sessions without their agents at once": "ms",
      "memory for each further idle session": "kB",
      "session with its agent, one after the other": "ms each",
      "50 sessions with their agents at once": "ms",
    };
    return compareStarts({ rounds, against, units, ceiling: true }, async (start) => {
      const startedAt = clock();
      await using gateway = await start();
      const healthy = (clock() - startedAt) / 1000;
      await sleep(size(1000, 1));
      const idle = memoryOf(gateway.pid);
      const without = () => gateway.createIdleSession!();
      const idleFigures = gateway.createIdleSession && {
        "session without its agent, one after the other": (await inTurn(few, without)) / few,
        "50 sessions without their agents at once": await together(atOnce, without),
        "memory for each further idle session": await memoryOfEach(gateway.pid, many, without, size(1000, 1)),
      };
      const running = () => gateway.createSession();
      return {
        "start to healthy": healthy,
        "idle memory": idle / 1e6,
        ...idleFigures,
        "session with its agent, one after the other": (await inTurn(few, running)) / few,
        "50 sessions with their agents at once": await together(atOnce, running),
      };
    });
  },
};

async function inTurn(count: number, action: () => Promise<unknown>): Promise<number> {
  const startedAt = clock();
  for (let done = 0; done < count; done += 1) await action();
  return (clock() - startedAt) / 1000;
}

async function together(count: number, action: () => Promise<unknown>): Promise<number> {
  const startedAt = clock();
  await Promise.all(Array.from({ length: count }, action));
  return (clock() - startedAt) / 1000;
}

/** In kilobytes, when what was only needed to make them is gone. */
async function memoryOfEach(
  pid: number,
  count: number,
  action: () => Promise<unknown>,
  restMs: number,
): Promise<number> {
  const before = memoryOf(pid);
  await inTurn(count, action);
  await sleep(restMs);
  return (memoryOf(pid) - before) / 1000 / count;
}
