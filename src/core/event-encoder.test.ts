import fc from "fast-check";
import { expect, it } from "vitest";
import type { SessionEvent } from "./event.ts";
import { EventEncoder } from "./event-encoder.ts";

const id = fc.constantFrom("a", "b", 'with "quotes"', "\u2028");
const optional = fc.option(id, { nil: undefined });

const delta = fc.record({
  session: fc.constant("s"),
  seq: fc.nat(),
  at: fc.nat(),
  raw: fc.option(fc.nat(), { nil: undefined }),
  type: fc.constantFrom("text.delta", "reasoning.delta"),
  turn: optional,
  message: optional,
  parent: optional,
  task: optional,
  part: id,
  delta: fc.string({ unit: "binary" }),
});

const other = fc.record({
  session: fc.constant("s"),
  seq: fc.nat(),
  at: fc.nat(),
  type: fc.constant("notice"),
  text: fc.string(),
});

it("gives what JSON.stringify gives, in whatever order parts take turns", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(delta, other)), (events) => {
      const encoder = new EventEncoder();
      for (const event of events as SessionEvent[]) expect(encoder.encode(event)).toBe(JSON.stringify(event));
    }),
  );
});
