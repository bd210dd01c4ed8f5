/**
 * Recordings of real agents with damaged lines, through their translators: whatever stands where in what an agent says, the
 * log is well formed. `SEED=…` plays a run again.
 */
import { describe, expect, it } from "vitest";
import { protocol as acp } from "../../src/agents/acp/protocol.ts";
import { protocol as amp } from "../../src/agents/amp/protocol.ts";
import { protocol as claude } from "../../src/agents/claude/protocol.ts";
import { protocol as codex } from "../../src/agents/codex/protocol.ts";
import { protocol as mock } from "../../src/agents/mock/protocol.ts";
import { modelProtocols } from "../../src/agents/model/protocol.ts";
import { protocol as opencode } from "../../src/agents/opencode/protocol.ts";
import { readRecording } from "../../src/agents/replay/recording-reader.ts";
import { replayRecords } from "../../src/agents/replay/replay-records.ts";
import type { AgentProtocol } from "../../src/agents/transport/agent-protocol.ts";
import { checkLog } from "../../src/core/check-log.ts";
import type { RawRecord } from "../../src/core/raw-record.ts";
import { HostileJson } from "../../src/testkit/hostile-agent/index.ts";
import { MOCK_EXAMPLES } from "../../src/testkit/hostile-agent/mock-examples.ts";
import { Random, seededRandom } from "../../src/testkit/random.ts";
import { readRecordingText, recordingsOf } from "../recordings/support.ts";

const [model] = modelProtocols({ providers: {} });

const RUNS = Number(process.env.HOSTILE_RUNS ?? 25);
const MAX_BYTES = 100_000;

const { seed } = seededRandom("hostile recordings");

function recordOf<State>(protocol: AgentProtocol<State>, random: Random): RawRecord[] {
  const name = random.pick(recordingsOf(protocol.name));
  return [
    ...readRecording(readRecordingText(protocol.name, name), { processPerTurn: protocol.processPerTurn }),
  ];
}

/** There are no recordings of the mock: everything it can say, in any order, after an opening and a prompt. */
function mockRecords(random: Random): RawRecord[] {
  const lines: [RawRecord["direction"], object][] = [
    ["out", { id: 1, method: "open", params: { wire: 1, configuration: {} } }],
    ["in", { id: 1, result: { conversation: "c", version: "1", continued: false } }],
    ["out", { id: 2, method: "prompt", params: { prompt: "u1", text: "Hi", files: [] } }],
    ["in", { event: "turn_started", turn: "t1", prompt: "u1" }],
    ...Array.from(
      { length: 60 },
      () => ["in", random.pick(MOCK_EXAMPLES)] as [RawRecord["direction"], object],
    ),
  ];
  return lines.map(([direction, message], index) => ({
    rawSeq: index + 1,
    direction,
    generation: 1,
    at: index,
    data: JSON.stringify(message),
  }));
}

/** Some lines damaged, some gone, some twice or elsewhere. */
function damaged(records: readonly RawRecord[], random: Random): RawRecord[] {
  const json = new HostileJson(random, MAX_BYTES);
  const changed = records.flatMap((record) => {
    const isSaid = record.direction === "in" && typeof record.data === "string";
    if (!isSaid || random.chance(0.7)) return [record];
    const dice = random.next();
    if (dice < 0.1) return [];
    if (dice < 0.2) return [record, record];
    if (dice < 0.3) return [{ ...record, data: json.value() }, record];
    return [{ ...record, data: json.damage(parsed(record.data as string)) }];
  });
  if (random.chance(0.3)) swap(changed, random);
  return changed.map((record, index) => ({ ...record, rawSeq: index + 1 }));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function swap(records: RawRecord[], random: Random): void {
  const [a, b] = [random.integer(0, records.length - 1), random.integer(0, records.length - 1)];
  [records[a], records[b]] = [records[b]!, records[a]!];
}

function expectHarmless<State>(protocol: AgentProtocol<State>, seed: number): void {
  const random = new Random(seed);
  const records = damaged(
    protocol.name === "mock" ? mockRecords(random) : recordOf(protocol, random),
    random,
  );
  try {
    const events = [...replayRecords(protocol, records, { session: "hostile" })];
    const broken = checkLog(JSON.parse(JSON.stringify(events)), { complete: true });
    expect(JSON.stringify(broken)).toBe("[]");
  } catch (error) {
    // The damage made it a version of the protocol that replay refuses, as it should.
    if (/only version \d+ is understood/.test((error as Error).message)) return;
    throw new Error(`seed ${seed}: ${(error as Error).stack}`, { cause: error });
  }
}

describe("a damaged stream makes a well-formed log:", () => {
  it.each([acp, amp, claude, codex, opencode, model!, mock] as AgentProtocol<unknown>[])(
    "$name",
    (protocol) => {
      const seeds = new Random(seed);
      for (let run = 0; run < RUNS; run += 1) expectHarmless(protocol, seeds.integer(0, 2 ** 31));
    },
  );
});

it("no prototype was polluted on the way", () => {
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});
