/** The event loop under attack: how long `/v1/health` has to wait at worst while clients and readers do their worst. */
import { setTimeout as sleep } from "node:timers/promises";
import { DaemonProcess, temporaryDirectory } from "../test/crash/daemon-process.ts";
import { attacksOnReads, attacksOnRequests } from "./harness/attacks.ts";
import type { Benchmark, Figure } from "./harness/benchmark.ts";
import { floods } from "./harness/floods.ts";
import { HealthProbe } from "./harness/health-probe.ts";
import { agentOutputs } from "./harness/sample-log.ts";
import { ScriptedEngine } from "./harness/scripted-engine.ts";
import { storeSessions } from "./harness/stored-sessions.ts";
import { memoryOf } from "./peers/process-usage.ts";

const LONG_TURN = "long-turn";
const FLOODED = { short: "short-turn", long: "forked-turn" };

export const eventLoop: Benchmark = {
  name: "event-loop",
  summary: "the slowest answer of /v1/health while clients and readers do their worst",
  async run({ size }) {
    await using directory = await temporaryDirectory();
    await storeSessions(directory.path, size(2000, 10));
    await liveThroughTurn(directory.path, LONG_TURN, size(1_000_000, 2000));
    await liveThroughTurn(directory.path, FLOODED.long, size(500_000, 1000));
    await liveThroughTurn(directory.path, FLOODED.short, size(2000, 100));
    const attacks = [
      ...floods(FLOODED, { size }),
      ...attacksOnReads(LONG_TURN, { size }),
      ...attacksOnRequests({ size }),
    ];
    const figures: Figure[] = [];
    for (const attack of attacks) {
      // A daemon of its own for each: what one attack leaves behind is not the next one's fault.
      await using stack = new AsyncDisposableStack();
      const daemon = await DaemonProcess.start(directory.path, { root: "/" });
      stack.defer(() => daemon.kill("SIGTERM"));
      const probe = stack.use(await HealthProbe.start(daemon.url));
      const quiet = await probe.during(() => sleep(size(500, 10)));
      await attack.prepare?.(daemon);
      const startedAt = performance.now();
      let outcome = "";
      const { worstMs } = await probe.during(async () => {
        outcome = await attack.run(daemon);
      });
      const wallMs = performance.now() - startedAt;
      process.stderr.write(
        `  ${attack.name}: ${outcome}; worst ${worstMs.toFixed(0)} ms, ${wallMs.toFixed(0)} ms in all, ` +
          `${(memoryOf(daemon.pid) / 1e6).toFixed(0)} MB\n`,
      );
      figures.push({
        name: attack.name,
        unit: "ms",
        value: worstMs,
        baseline: { name: "at rest", value: quiet.worstMs },
      });
    }
    return figures;
  },
};

/** A finished turn of so many deltas. */
async function liveThroughTurn(directory: string, session: string, deltas: number): Promise<void> {
  await using scripted = await ScriptedEngine.open(directory);
  const talk = await scripted.startTurn(session);
  const outputs = agentOutputs(Math.min(deltas, 10_000));
  await talk.sayAll(Array.from({ length: deltas }, (_, index) => outputs[index % outputs.length]!));
}
