import { beforeEach, describe, expect, it } from "vitest";
import type { RawDraft } from "../../core/raw-record.ts";
import { StderrRecords } from "./stderr-records.ts";

let now: number;
let stderr: StderrRecords;
let records: RawDraft[];

const texts = () => records.map((record) => (record.direction === "process" ? record.data.text : ""));

beforeEach(() => {
  now = 0;
  records = [];
  stderr = new StderrRecords(() => now);
});

describe("StderrRecords", () => {
  it("keeps what came before anybody listened", () => {
    stderr.push("early");
    stderr.listen((record) => records.push(record));
    stderr.push("late");
    expect(records).toEqual([
      { direction: "process", data: { event: "stderr", text: "early" } },
      { direction: "process", data: { event: "stderr", text: "late" } },
    ]);
  });

  it("lets two hundred lines a second pass and counts the rest", () => {
    stderr.listen((record) => records.push(record));
    for (let count = 0; count < 1000; count += 1) stderr.push(`line ${count}`);
    expect(records).toHaveLength(200);
    now = 1000;
    stderr.push("calm again");
    expect(texts().slice(-2)).toEqual(["[800 lines left out]", "calm again"]);
  });

  it("tells at the end what was left out last", () => {
    stderr.listen((record) => records.push(record));
    for (let count = 0; count < 201; count += 1) stderr.push("line");
    stderr.end();
    stderr.end();
    expect(texts().slice(-2)).toEqual(["line", "[1 lines left out]"]);
  });

  it("shortens very long lines", () => {
    stderr.listen((record) => records.push(record));
    stderr.push("x".repeat(10_000));
    expect(texts()).toEqual([`${"x".repeat(4096)}…`]);
  });
});
