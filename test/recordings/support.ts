/** What the suites over recordings of real agents share: reading, replaying, judging and showing them. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect } from "vitest";
import { readRecording } from "../../src/agents/replay/recording-reader.ts";
import { replayRecords } from "../../src/agents/replay/replay-records.ts";
import type { AgentProtocol } from "../../src/agents/transport/agent-protocol.ts";
import { checkLog } from "../../src/core/check-log.ts";
import { eventSchema, type SessionEvent } from "../../src/core/event.ts";
import { expectConsistent } from "../../src/dialects/ai-sdk/expect-consistent.test-support.ts";
import { expectDialectContract } from "../../src/testkit/dialect-contract/index.ts";
import { CONTRACTS } from "../dialects/contracts.ts";

const FIXTURES = join(import.meta.dirname, "..", "fixtures");

/** When the recordings of the language fixtures are taken to have begun. */
const STARTED_AT = Date.UTC(2026, 0, 1);

/** The names of an agent's recordings, without `.jsonl`. Throws where it has none: a suite over nothing would pass. */
export function recordingsOf(agent: string): string[] {
  const names = namesIn(join("recordings", agent), ".jsonl");
  if (names.length === 0) throw new Error(`There is no recording in test/fixtures/recordings/${agent}.`);
  return names;
}

/** The names of an agent's golden views. */
export function viewsOf(agent: string): string[] {
  return namesIn(join("views", agent), ".jsonl");
}

function namesIn(folder: string, ending: string): string[] {
  return globSync(`*${ending}`, { cwd: join(FIXTURES, folder) })
    .map((file) => file.slice(0, -ending.length))
    .sort();
}

export function readRecordingText(agent: string, name: string): string {
  return readFileSync(join(FIXTURES, "recordings", agent, `${name}.jsonl`), "utf8");
}

/** The log of a recording, as it is after a wire. */
export function replay<State>(
  protocol: AgentProtocol<State>,
  text: string,
  created = { agent: protocol.name, cwd: "/home/dev/project" },
): SessionEvent[] {
  const records = readRecording(text, {
    startedAt: STARTED_AT,
    processPerTurn: protocol.processPerTurn,
  });
  const events = [...replayRecords(protocol, records, { session: "fixture", created })];
  return JSON.parse(JSON.stringify(events));
}

/** The names of an agent's language fixtures: recordings beside the events they mean. */
export function languageFixturesOf(agent: string): string[] {
  return namesIn(join("language", agent), ".events.jsonl");
}

/** The translator gives the fixture's events, ids and times included, for a replay has nothing random. */
export function expectFixture<State>(protocol: AgentProtocol<State>, folder: string, name: string): void {
  const file = join(FIXTURES, "language", folder, name);
  const expected = readFileSync(`${file}.events.jsonl`, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  const { agent, cwd } = expected[0];
  const events = replay(protocol, readFileSync(`${file}.recording.jsonl`, "utf8"), { agent, cwd });
  for (const [place, event] of events.entries()) expect(event).toEqual(expected[place]);
  expect(events).toHaveLength(expected.length);
}

/** It speaks our language, keeps its rules, has nothing open, and the real readers of the AI SDK take it. */
export async function expectWellFormed(events: readonly SessionEvent[]): Promise<void> {
  for (const event of events) expect(eventSchema.parse(event)).toEqual(event);
  expect(checkLog([...events], { complete: true })).toEqual([]);
  await expectConsistent(events);
  for (const contract of Object.values(CONTRACTS))
    await expectDialectContract(contract, events, { cuts: 10 });
}

/** A recording that was cut, that has lost lines or has them twice still makes a well-formed log. */
export function expectDamageIsHarmless<State>(protocol: AgentProtocol<State>, text: string, runs = 20): void {
  const lines = text.split("\n").filter((line) => line !== "");
  const damage = fc.record({
    length: fc.integer({ min: 1, max: lines.length }),
    lost: fc.array(fc.nat({ max: lines.length - 1 }), { maxLength: 5 }),
    doubled: fc.array(fc.nat({ max: lines.length - 1 }), { maxLength: 5 }),
  });
  fc.assert(
    fc.property(damage, ({ length, lost, doubled }) => {
      const damaged = lines
        .slice(0, length)
        .flatMap((line, place) =>
          lost.includes(place) ? [] : doubled.includes(place) ? [line, line] : [line],
        );
      const events = replay(protocol, damaged.join("\n"));
      expect(checkLog(events, { complete: true })).toEqual([]);
    }),
    { numRuns: runs },
  );
}

/** The golden view of a recording: what a person would be told, a line for each thing. */
export async function expectView(
  agent: string,
  name: string,
  events: readonly SessionEvent[],
): Promise<void> {
  const file = join(FIXTURES, "views", agent, `${name}.jsonl`);
  await expect(
    viewOf(events)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(""),
  ).toMatchFileSnapshot(file);
}

/** Places, times and ids of ours, which only repeat where a thing stands. */
const LEFT_OUT = new Set([
  "session",
  "seq",
  "at",
  "raw",
  "turn",
  "message",
  "part",
  "native",
  "durationMs",
  "waitedMs",
]);
/** Long lists of what an agent offers: their number says enough. */
const COUNTED = new Set(["commands", "models", "modes", "tools", "settings"]);

function viewOf(events: readonly SessionEvent[]): object[] {
  const said = new Map<string, string>();
  for (const event of events) {
    if (event.type !== "text.delta" && event.type !== "reasoning.delta") continue;
    said.set(event.part, (said.get(event.part) ?? "") + event.delta);
  }
  return events.flatMap((event) => {
    switch (event.type) {
      case "text.delta":
      case "reasoning.delta":
      case "text.end":
      case "reasoning.end":
      // The whole input follows.
      case "tool.input.delta":
        return [];
      case "text.start":
      case "reasoning.start":
        return [{ ...viewOfFields(event), text: said.get(event.part) ?? "" }];
      default:
        return [viewOfFields(event)];
    }
  });
}

function viewOfFields(event: SessionEvent): object {
  const words =
    event.type === "ask.answered"
      ? { words: event.message }
      : event.type === "agent.unknown" && { native: event.native };
  const fields = Object.entries(event).flatMap(([name, value]) => {
    if (LEFT_OUT.has(name)) return [];
    return [[name, COUNTED.has(name) && Array.isArray(value) ? value.length : value]];
  });
  return { ...Object.fromEntries(fields), ...words };
}
