/** The whole way of one busy session: agent process, daemon process, one client. */
import { temporaryDirectory } from "../test/crash/daemon-process.ts";
import { BareServer } from "./harness/bare-server.ts";
import type { Benchmark } from "./harness/benchmark.ts";
import { DaemonUnderTest } from "./harness/daemon-under-test.ts";
import { inRounds, measure, medianOf, type Sample } from "./harness/rounds.ts";
import { SseReader } from "./harness/sse-reader.ts";

type Played = Sample & { events: number; perCommit: number };

export const burst: Benchmark = {
  name: "burst",
  summary: "the mock agent as fast as it can, through the daemon to one reader",
  async run(scale) {
    const deltas = scale.size(100_000, 300);
    await using data = await temporaryDirectory();
    await using bareData = await temporaryDirectory();
    await using daemon = await DaemonUnderTest.start(data.path);
    await using gateway = await BareServer.start("gateway.ts", bareData.path);
    const warmUp = scale.size(5000, 50);
    const session = await daemon.openSession(warmUp);
    await playBare(gateway, warmUp);

    const results = await inRounds<"ours" | "bare", Played>(scale.rounds, {
      ours: async () => {
        const commits = await daemon.metric("commits_total");
        const played = await daemon.playBurst(session, deltas, 1);
        return { ...played, perCommit: played.events / ((await daemon.metric("commits_total")) - commits) };
      },
      bare: () => playBare(gateway, deltas),
    });
    const cpu = ({ cpuMicroseconds, events }: Played) => cpuMicroseconds / events;
    const rate = ({ wallMs, events }: Played) => (events / wallMs) * 1000;
    const memory = daemon.peakMemory();
    const feedFrames = await daemon.feedFrames(session);
    const name = "bare gateway without a log";
    return [
      {
        name: "CPU of the daemon per event",
        unit: "µs",
        value: medianOf(results.ours, cpu),
        baseline: { name, value: medianOf(results.bare, cpu) },
      },
      {
        name: "agent to reader",
        unit: "events/s",
        value: medianOf(results.ours, rate),
        baseline: { name, value: medianOf(results.bare, rate) },
      },
      {
        name: "events per commit",
        unit: "events",
        value: medianOf(results.ours, ({ perCommit }) => perCommit),
      },
      { name: "feed, one answer of 200 deltas", unit: "frames", value: feedFrames },
      ...(memory === undefined
        ? []
        : [{ name: "peak memory of the daemon", unit: "MB", value: memory / 1e6 }]),
    ];
  },
};

async function playBare(gateway: BareServer, deltas: number): Promise<Played> {
  let reader: SseReader | undefined;
  const sample = await measure(async () => {
    reader = await SseReader.open({
      url: gateway.url,
      path: `/burst?deltas=${deltas}`,
      last: '"type":"turn.ended"',
    });
    await reader.finished;
  }, gateway.cpu);
  reader?.close();
  return { ...sample, events: deltas, perCommit: 0 };
}
