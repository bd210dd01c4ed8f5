/** Real sessions of every agent, from the recordings of the tests: what a line costs to understand, and to keep. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { PROTOCOLS } from "../src/agents/registry.ts";
import { RecordReplay } from "../src/agents/replay/record-replay.ts";
import { readRecording } from "../src/agents/replay/recording-reader.ts";
import type { AgentProtocol } from "../src/agents/transport/agent-protocol.ts";
import type { EncodedEvent } from "../src/core/encoded-event.ts";
import type { RawRecord } from "../src/core/raw-record.ts";
import { openStore } from "../src/store/open-store.ts";
import { DATABASE_FILE } from "../src/store/sqlite/data-directory.ts";
import { temporaryDirectory } from "../test/crash/daemon-process.ts";
import type { Benchmark, Figure, Scale } from "./harness/benchmark.ts";
import { measure, medianOf, type Sample } from "./harness/rounds.ts";
import { rowOf } from "./harness/sample-log.ts";

const RECORDINGS = join(import.meta.dirname, "../test/fixtures/recordings");
const AGENTS = ["claude", "codex", "opencode", "amp", "acp"];

export const recordings: Benchmark = {
  name: "recordings",
  summary: "recorded sessions of real agents: translation, and bytes kept",
  async run(scale) {
    const figures: Figure[] = [];
    for (const agent of AGENTS) {
      const protocol = PROTOCOLS.get(agent)!;
      const sessions = readAll(agent, protocol).slice(0, scale.size(1000, 2));
      figures.push(...(await translation(scale, protocol, sessions)), ...(await kept(protocol, sessions)));
    }
    return figures;
  },
};

function readAll(agent: string, protocol: AgentProtocol): RawRecord[][] {
  const { processPerTurn } = protocol;
  return globSync(`${RECORDINGS}/${agent}/*.jsonl`)
    .sort()
    .map((file) => {
      const records = readRecording(readFileSync(file, "utf8"), { processPerTurn });
      // Remarks are lines of a recording but no records.
      return [...records].map((record, index) => ({ ...record, rawSeq: index + 1 }));
    });
}

function replay(protocol: AgentProtocol, records: readonly RawRecord[], session?: string): EncodedEvent[] {
  const replaying = new RecordReplay(protocol, { session });
  const events = records.flatMap((record) => replaying.add(record)).concat(replaying.end());
  return events.map((event) => ({ seq: event.seq, json: JSON.stringify(event) }));
}

/** Parsing, translation, the session machine, and the JSON of the events. */
async function translation(
  { rounds, size }: Scale,
  protocol: AgentProtocol,
  sessions: readonly RawRecord[][],
): Promise<Figure[]> {
  const times = size(5, 1);
  const lines = sessions.flat().filter(({ direction }) => direction === "in");
  const events = sessions.reduce((sum, records) => sum + replay(protocol, records).length, 0);
  const samples: Sample[] = [];
  const parses: Sample[] = [];
  for (let round = 0; round < rounds * 2; round += 1) {
    samples.push(
      await measure(() => {
        for (let time = 0; time < times; time += 1) for (const records of sessions) replay(protocol, records);
      }),
    );
    parses.push(await measure(() => roundTrips(lines, times)));
  }
  const per = (count: number, measured: readonly Sample[]) =>
    medianOf(measured, ({ cpuMicroseconds }) => cpuMicroseconds) / times / count;
  const name = "JSON parse and stringify of the lines";
  return [
    {
      name: `${protocol.name}: CPU per line of the agent`,
      unit: "µs",
      value: per(lines.length, samples),
      baseline: { name, value: per(lines.length, parses) },
    },
    { name: `${protocol.name}: CPU per event`, unit: "µs", value: per(events, samples) },
  ];
}

function roundTrips(lines: readonly RawRecord[], times: number): number {
  let length = 0;
  for (let time = 0; time < times; time += 1) {
    for (const { data } of lines) {
      if (typeof data === "string" && isJson(data)) length += JSON.stringify(JSON.parse(data)).length;
    }
  }
  return length;
}

function isJson(text: string): boolean {
  return text.startsWith("{") && text.endsWith("}");
}

/** Events and raw records as they lie in the store, against the lines the agent wrote. */
async function kept(protocol: AgentProtocol, sessions: readonly RawRecord[][]): Promise<Figure[]> {
  await using directory = await temporaryDirectory();
  const store = await openStore({ directory: directory.path });
  let written = 0;
  let eventCount = 0;
  for (const [index, raws] of sessions.entries()) {
    const session = `${protocol.name}-${index}`;
    const events = replay(protocol, raws, session);
    const row = { ...rowOf(session, events.length, raws.length), status: "idle" as const };
    await store.append([{ session, events, raws, row, messages: [], asks: [], usage: [], seal: true }]);
    eventCount += events.length;
    for (const { direction, data } of raws) {
      if (direction === "in" && typeof data === "string") written += Buffer.byteLength(data) + 1;
    }
  }
  await store.close();
  const bytes = logBytes(join(directory.path, DATABASE_FILE));
  return [
    {
      name: `${protocol.name}: events and raw records`,
      unit: "kB",
      value: bytes / 1000,
      baseline: { name: "the agent's own lines", value: written / 1000 },
    },
    {
      name: `${protocol.name}: kept per event, raw records included`,
      unit: "bytes",
      value: bytes / eventCount,
    },
  ];
}

/** All that the tables of the log hold, packed or not. */
function logBytes(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const { bytes } = database
      .prepare(
        `SELECT (SELECT ifnull(sum(length(data)), 0) FROM block) + (SELECT ifnull(sum(length(data)), 0) FROM raw_blob)
         + (SELECT ifnull(sum(length(CAST(events AS BLOB)) + length(CAST(raws AS BLOB))), 0) FROM tail) AS bytes`,
      )
      .get() as { bytes: number };
    return bytes;
  } finally {
    database.close();
  }
}
