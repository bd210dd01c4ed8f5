/** The event loop under attack: how long `/v1/health` has to wait at worst while clients and readers do their worst. */
import { DaemonProcess, temporaryDirectory } from "../test/crash/daemon-process.ts";
import { attacksOnReads, attacksOnRequests } from "./harness/attacks.ts";
import type { Benchmark, Figure } from "./harness/benchmark.ts";
import { HealthProbe } from "./harness/health-probe.ts";
import { agentOutputs } from "./harness/sample-log.ts";
import { ScriptedEngine } from "./harness/scripted-engine.ts";
import { memoryOf } from "./peers/process-usage.ts";

const LONG_TURN = "long-turn";

export const eventLoop: Benchmark = {
  name: "event-loop",
  summary: "the slowest answer of /v1/health while clients and readers do their worst",
  async run({ size }) {
    await using directory = await temporaryDirectory();
    await liveThroughLongTurn(directory.path, size(1_000_000, 2000));
    const figures: Figure[] = [];
    for (const attack of [...attacksOnReads(LONG_TURN, { size }), ...attacksOnRequests({ size })]) {
      // A daemon of its own for each: what one attack leaves behind is not the next one's fault.
      await using stack = new AsyncDisposableStack();
      const daemon = await DaemonProcess.start(directory.path);
      stack.defer(() => daemon.kill("SIGTERM"));
      const probe = stack.use(await HealthProbe.start(daemon.url));
      const quiet = await probe.during(() => new Promise((done) => setTimeout(done, size(500, 10))));
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
async function liveThroughLongTurn(directory: string, deltas: number): Promise<void> {
  await using scripted = await ScriptedEngine.open(directory);
  const talk = await scripted.startTurn(LONG_TURN);
  const outputs = agentOutputs(Math.min(deltas, 10_000));
  await talk.sayAll(Array.from({ length: deltas }, (_, index) => outputs[index % outputs.length]!));
}
