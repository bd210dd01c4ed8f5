import { describe, expect, it } from "vitest";
import { UnreadCounts } from "./unread-counts.ts";

describe("UnreadCounts", () => {
  it("counts by agent and name, the most frequent first", () => {
    const counts = new UnreadCounts();
    for (const native of ["a", "b", "b"]) counts.add("one", native);
    counts.add("two", "a");
    expect(counts.of("one")).toEqual([
      { native: "b", count: 2 },
      { native: "a", count: 1 },
    ]);
    expect(counts.of("nobody")).toEqual([]);
    expect(counts.all()).toEqual([
      { agent: "one", native: "b", count: 2 },
      { agent: "one", native: "a", count: 1 },
      { agent: "two", native: "a", count: 1 },
    ]);
  });

  it("stays small whatever an agent makes up", () => {
    const counts = new UnreadCounts();
    for (let index = 0; index < 2000; index += 1) counts.add("wild", `name-${index}`);
    counts.add("wild", "name-0");
    counts.add("wild", "x".repeat(1_000_000));
    const [rest, most] = counts.of("wild");
    expect(counts.of("wild")).toHaveLength(501);
    expect([rest, most]).toEqual([
      { native: "other", count: 1501 },
      { native: "name-0", count: 2 },
    ]);
    counts.add("long", "x".repeat(1_000_000));
    expect(counts.of("long")[0]?.native).toHaveLength(121);
  });
});
