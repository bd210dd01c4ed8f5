import { describe, expect, it } from "vitest";
import { liveChunks } from "./expect-consistent.test-support.ts";
import { logOf } from "./scenarios.test-support.ts";
import { askOf, joinSegments, splitSegments, untilOpenAsk } from "./segments.ts";

const twoAsks = splitSegments(liveChunks(logOf("two asks at once"), "m1"));

describe("segments", () => {
  it("end with the ask that a person has to answer, the last with the message", () => {
    expect(twoAsks.map(askOf)).toEqual(["a12", "a13", undefined]);
  });

  it("join to a message with one start and one end", () => {
    const types = joinSegments(twoAsks).map((chunk) => chunk.type);
    expect(types.filter((type) => type === "start" || type === "finish")).toEqual(["start", "finish"]);
    expect(types.at(0)).toBe("start");
    expect(types.at(-1)).toBe("finish");
  });

  it("keep the seam at their end, where a person is to answer", () => {
    expect(joinSegments(twoAsks.slice(0, 2)).at(-1)).toEqual({ type: "finish", finishReason: "tool-calls" });
  });

  it("are given up to an open ask, with those that can be answered together", () => {
    const given = (...open: string[]) => untilOpenAsk(twoAsks, (ask) => open.includes(ask)).length;
    expect(given("a12", "a13")).toBe(2);
    expect(given("a12")).toBe(2);
    expect(given("a13")).toBe(2);
    expect(given()).toBe(3);
  });

  it("are given one by one where something stands between the asks", () => {
    const segments = splitSegments(liveChunks(logOf("an ask in the middle of a text"), "m1"));
    expect(untilOpenAsk(segments, () => true)).toHaveLength(1);
  });
});
