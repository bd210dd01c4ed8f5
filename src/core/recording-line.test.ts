import { expect, test } from "vitest";
import { recordingLineSteps, toRecordingLine } from "./recording-line.ts";

const LONG = "x\n".repeat(1024 * 1024);

function stepsOf(data: string): number {
  let steps = 0;
  for (const _ of recordingLineSteps({ rawSeq: 1, generation: 1, at: 5, direction: "in", data }, 0))
    steps += 1;
  return steps;
}

test("the line of a record of many megabytes is made in steps", () => {
  expect(stepsOf(JSON.stringify({ type: "output", text: LONG }))).toBeGreaterThan(8);
  expect(stepsOf('{"type":"output"}')).toBeLessThan(4);
});

test.each([
  ["a message", JSON.stringify({ text: LONG }), "msg"],
  ["one that JSON would write in another way", `{"text": ${JSON.stringify(LONG)}}`, "raw"],
  ["one with more behind it", `${JSON.stringify({ text: LONG })} `, "raw"],
  ["no JSON", LONG, "raw"],
])("%s of many megabytes is kept as it was", (_, data, field) => {
  const line = toRecordingLine({ rawSeq: 1, generation: 1, at: 5, direction: "in", data }, 0);
  expect(Object.keys(line)).toEqual(["dir", "t", "at", "generation", field]);
  expect(field === "raw" ? line.raw : JSON.stringify(line.msg)).toBe(data);
});
