/** The session machine alone: what it costs to make an event of a draft. */
import type { Benchmark } from "./harness/benchmark.ts";
import { inWarmRounds, measure, medianOf, type Sample } from "./harness/rounds.ts";
import { agentOutputs, machineInTurn, sampleAppends } from "./harness/sample-log.ts";

export const machine: Benchmark = {
  name: "machine",
  summary: "drafts of text deltas to events, in memory",
  async run(scale) {
    const count = scale.size(200_000, 200);
    const outputs = agentOutputs(Math.min(count, 10_000));
    const lines = sampleAppends("session", outputs.length, outputs.length)[0]!.events.map(({ json }) => json);
    const results = await inWarmRounds(scale.rounds * 2, {
      machine: () => measure(() => makeEvents(outputs, count)),
      json: () => measure(() => roundTrip(lines, count)),
    });
    const perEvent = ({ cpuMicroseconds }: Sample) => cpuMicroseconds / count;
    return [
      {
        name: "CPU per event",
        unit: "µs",
        value: medianOf(results.machine, perEvent),
        baseline: { name: "JSON parse and stringify", value: medianOf(results.json, perEvent) },
      },
    ];
  },
};

/** Taken one by one, as the engine does. */
function makeEvents(outputs: ReturnType<typeof agentOutputs>, count: number): void {
  const machine = machineInTurn("session");
  for (let index = 0; index < count; index += 1) {
    for (const draft of outputs[index % outputs.length]!.drafts) machine.apply(draft, index + 1);
    machine.take();
  }
}

function roundTrip(lines: readonly string[], count: number): number {
  let length = 0;
  for (let index = 0; index < count; index += 1) {
    length += JSON.stringify(JSON.parse(lines[index % lines.length]!)).length;
  }
  return length;
}
