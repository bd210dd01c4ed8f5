import fc from "fast-check";
import { expect, test } from "vitest";
import { JsonComplexity } from "./json-complexity.ts";

/** Counted from the value itself. */
function measure(value: unknown, depth = 0): { deepest: number; values: number } {
  if (typeof value !== "object" || value === null) return { deepest: depth, values: 0 };
  const items = Object.values(value);
  const inner = items.map((item) => measure(item, depth + 1));
  const marks = 1 + Math.max(0, items.length - 1) + (Array.isArray(value) ? 0 : items.length);
  return {
    deepest: Math.max(depth + 1, ...inner.map(({ deepest }) => deepest)),
    values: marks + inner.reduce((sum, { values }) => sum + values, 0),
  };
}

test("counts levels and values of any JSON, however it is cut into pieces", () => {
  const texts = fc.json({ stringUnit: fc.constantFrom("\\", '"', "{", ",", "é", "\u{1f600}", "a") });
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 7 }), (text, size) => {
      const bytes = Buffer.from(text);
      const complexity = new JsonComplexity();
      for (let at = 0; at < bytes.length; at += size) complexity.add(bytes.subarray(at, at + size));
      const { deepest, values } = complexity;
      expect({ deepest, values }).toEqual(measure(JSON.parse(text)));
    }),
    { numRuns: 1000 },
  );
});
