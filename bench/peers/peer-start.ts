/** Starting: from nothing to healthy, the memory then, and what each further session takes. */
import type { Benchmark } from "../harness/benchmark.ts";
import { clock } from "./chunk-text.ts";
import { compareStarts } from "./field.ts";
import { memoryOf } from "./process-usage.ts";

export const peerStart: Benchmark = {
  name: "peer-start",
  summary: "start to healthy, idle memory, sessions one after the other and at once",
  async run(scale) {
    const sessions = scale.size(20, 1);
    const atOnce = scale.size(50, 2);
    const units = {
      "start to healthy": "ms",
      "idle memory": "MB",
      "session with its agent, one after the other": "ms each",
      "memory for each further session": "kB",
      [`${atOnce} sessions with their agents at once`]: "ms",
    };
    return compareStarts(scale, units, async (start) => {
      const startedAt = clock();
      await using gateway = await start();
      const healthy = (clock() - startedAt) / 1000;
      await new Promise((resolve) => setTimeout(resolve, scale.size(1000, 1)));
      const idle = memoryOf(gateway.pid);
      await gateway.createSession();
      const before = memoryOf(gateway.pid);
      const createdFrom = clock();
      for (let made = 0; made < sessions; made += 1) await gateway.createSession();
      const each = (clock() - createdFrom) / 1000 / sessions;
      const further = (memoryOf(gateway.pid) - before) / sessions;
      const togetherFrom = clock();
      await Promise.all(Array.from({ length: atOnce }, () => gateway.createSession()));
      return {
        "start to healthy": healthy,
        "idle memory": idle / 1e6,
        "session with its agent, one after the other": each,
        "memory for each further session": further / 1000,
        [`${atOnce} sessions with their agents at once`]: (clock() - togetherFrom) / 1000,
      };
    });
  },
};
