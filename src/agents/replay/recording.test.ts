import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RawRecord } from "../../core/raw-record.ts";
import { toRecordingLine } from "../../core/recording-line.ts";
import { fromRecordingLine } from "./recording.ts";
import { RecordingReader, readRecording } from "./recording-reader.ts";

const message = fc.oneof(
  fc.json(),
  fc.string(),
  fc.constantFrom('{"a": 1}', "1.0", '{"n":1e400}', "", '{"a":1,"a":2}', '"\\u00e9"'),
  fc
    .record({ kind: fc.string(), stream: fc.string(), msg: fc.jsonValue() })
    .map((value) => JSON.stringify(value)),
  fc
    .record({ kind: fc.string(), raw: fc.string(), msg: fc.jsonValue() })
    .map((value) => JSON.stringify(value)),
);

const record: fc.Arbitrary<RawRecord> = fc
  .tuple(
    fc.nat({ max: 5 }),
    fc.nat(),
    fc.oneof(
      fc.record({ direction: fc.constantFrom("in" as const, "out" as const), data: message }),
      fc.record({
        direction: fc.constant("process" as const),
        data: fc.constantFrom(
          { event: "spawn" as const, pid: 7, command: "mock", args: ["x"] },
          { event: "exit" as const, code: null, signal: "SIGKILL", stderr: "" },
          { event: "stderr" as const, text: "[2 lines left out]", leftOut: 2 },
        ),
      }),
    ),
  )
  .map(([generation, at, rest]) => ({ rawSeq: 3, generation, at, ...rest }));

describe("recording", () => {
  it("gives back every raw record exactly as it was", () => {
    fc.assert(
      fc.property(record, fc.nat(), (raw, startedAt) => {
        const line = JSON.parse(JSON.stringify(toRecordingLine(raw, startedAt)));
        expect(fromRecordingLine(line, { rawSeq: 3, generation: 9, startedAt: 0 })).toEqual(raw);
      }),
    );
  });

  it("reads what other recorders write", () => {
    const lines = [
      { dir: "meta", t: 0.4, kind: "proc", msg: { event: "spawn", argv: ["codex", "app-server"] } },
      { dir: "meta", t: 1, kind: "note", msg: { note: "a remark" } },
      { dir: "client", t: 2, msg: { id: 1 } },
      { dir: "agent", t: 3, raw: "not JSON" },
      { dir: "agent", t: 4, kind: "stdout", msg: { type: "system" } },
      { dir: "agent", t: 5, kind: "sse", stream: "event", msg: { type: "idle" } },
      { dir: "meta", t: 6, kind: "stderr", msg: "a warning" },
      { dir: "meta", t: 7, kind: "proc", msg: { event: "kill -9" } },
      { dir: "meta", t: 8, kind: "proc", msg: { event: "exit", code: null, signal: "SIGKILL" } },
      { dir: "meta", t: 9, kind: "proc", msg: { event: "spawn", argv: ["codex", "app-server"] } },
    ];
    const text = lines.map((line) => JSON.stringify(line)).join("\n");
    expect([...readRecording(text, { startedAt: 100 })]).toEqual([
      {
        rawSeq: 1,
        generation: 1,
        at: 100,
        direction: "process",
        data: { event: "spawn", argv: ["codex", "app-server"] },
      },
      { rawSeq: 3, generation: 1, at: 102, direction: "out", data: '{"id":1}' },
      { rawSeq: 4, generation: 1, at: 103, direction: "in", data: "not JSON" },
      { rawSeq: 5, generation: 1, at: 104, direction: "in", data: '{"type":"system"}' },
      {
        rawSeq: 6,
        generation: 1,
        at: 105,
        direction: "in",
        data: '{"kind":"sse","stream":"event","msg":{"type":"idle"}}',
      },
      {
        rawSeq: 7,
        generation: 1,
        at: 106,
        direction: "process",
        data: { event: "stderr", text: "a warning" },
      },
      {
        rawSeq: 8,
        generation: 1,
        at: 107,
        direction: "process",
        data: { event: "signal", native: "kill -9" },
      },
      {
        rawSeq: 9,
        generation: 1,
        at: 108,
        direction: "process",
        data: { event: "exit", code: null, signal: "SIGKILL" },
      },
      {
        rawSeq: 10,
        generation: 2,
        at: 109,
        direction: "process",
        data: { event: "spawn", argv: ["codex", "app-server"] },
      },
    ]);
  });

  it("counts one generation for an agent that runs a process for each turn", () => {
    const spawn = JSON.stringify({ dir: "meta", t: 0, kind: "proc", msg: { event: "spawn" } });
    const records = [...readRecording(`${spawn}\n${spawn}`, { processPerTurn: true })];
    expect(records.map(({ generation }) => generation)).toEqual([1, 1]);
  });

  it.each([
    ["not JSON", /^Line 2 is not JSON\. A recording has one object per line/],
    ["[]", /^Line 2 is no line of a recording \(the line: /],
    ['{"dir":"up","t":0}', /^Line 2 is no line of a recording \(dir: /],
    ['{"dir":"agent","msg":{}}', /^Line 2 is no line of a recording \(t: /],
  ])("says which line is wrong: %s", (line, problem) => {
    const reader = new RecordingReader();
    reader.read("");
    expect(() => reader.read(line)).toThrow(problem);
  });
});
