import { describe, expect, it } from "vitest";
import { JsonTooComplex, MAX_JSON_DEPTH, MAX_JSON_MEMBERS, parseJson } from "../../core/parse-json.ts";
import { parseLine } from "./line-text.ts";

const deep = (levels: number) => `{"a":${"[".repeat(levels)}${"]".repeat(levels)}}`;

describe("a line of an agent", () => {
  it.each([3000, 1_000_000])(
    "that is %i levels deep is an agent.unknown, not the end of the session",
    (levels) => {
      expect(parseLine(deep(levels))).toMatchObject({
        kind: "unreadable",
        draft: { type: "agent.unknown", native: "too-complex", text: expect.stringMatching(/^\{"a":\[+…$/) },
      });
    },
  );

  it("with 4 million keys is an agent.unknown before anything is made of it", () => {
    const keys = Array.from({ length: 4_000_000 }, (_, key) => `"${key}":1`).join(",");
    expect(parseLine(`{${keys}}`)).toMatchObject({ draft: { native: "too-complex" } });
  });

  it("is read where it is within the limits, whatever its strings look like", () => {
    const value = { text: '[{"\\"[[['.repeat(2000), list: Array(1000).fill({ a: "\\", b: '\\\\"' }) };
    expect(parseJson(JSON.stringify(value))).toEqual(value);
    expect(parseJson(deep(MAX_JSON_DEPTH - 1))).toBeDefined();
    for (const spaces of [4096, 1_000_000])
      expect(() => parseJson(" ".repeat(spaces) + deep(MAX_JSON_DEPTH))).toThrow(JsonTooComplex);
    expect(() => parseJson(`[${'{"a":1},'.repeat(MAX_JSON_MEMBERS + 1)}1]`)).toThrow("members");
    expect(() => parseJson(`"${"x".repeat(5000)}`)).toThrow(SyntaxError);
  });
});
