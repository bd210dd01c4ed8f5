import fc from "fast-check";
import { expect, it } from "vitest";
import type { RawRecord } from "../../core/raw-record.ts";
import { isStub, packRaws, readRawLine } from "./raw-line.ts";

const record = (data: RawRecord["data"], direction: RawRecord["direction"] = "in"): RawRecord => ({
  rawSeq: 7,
  direction,
  generation: 2,
  at: 1767225600000,
  data,
});

it("keeps a line of an agent as it is, behind a short head", async () => {
  const { lines } = await packRaws([record('{"type":"text","text":"\\u00fc"}')]);
  expect(lines.join("\n")).toBe('in 7 2 1767225600000 {"type":"text","text":"\\u00fc"}');
});

it("gives every record back: any text, lines within, lone surrogates, what looks like a head, process records", async () => {
  const data = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("", "two\nlines", "\u0000", "\ud800", "in 1 1 1 x", "{", '{"a":1}', "\u2028", "😀"),
    fc.record({ event: fc.constant("stderr" as const), text: fc.string() }),
  );
  const records = fc.array(
    fc.record({
      direction: fc.constantFrom("in" as const, "out" as const),
      data,
      rawSeq: fc.nat({ max: 1e9 }),
    }),
    { minLength: 1 },
  );
  await fc.assert(
    fc.asyncProperty(records, async (some) => {
      const raws = some.map((one) => ({ ...record(one.data), ...one }) as RawRecord);
      const { lines, blobs } = await packRaws(raws);
      expect(blobs).toEqual([]);
      // One line each, whatever is in them.
      expect(lines.join("\n").split("\n").map(readRawLine)).toEqual(raws);
    }),
  );
});

it("reads what earlier versions wrote", () => {
  const raw = record("{}", "out");
  expect(readRawLine(JSON.stringify(raw))).toEqual(raw);
});

it("holds the place of a large record", async () => {
  const { lines, blobs } = await packRaws([record("x".repeat(100_000))]);
  const line = readRawLine(lines[0]!);
  expect(isStub(line) && line.dataBytes).toBe(100_002);
  expect(blobs).toHaveLength(1);
});
