import { expect, it } from "vitest";
import { toSseFrame } from "./sse.ts";

it("is one event per chunk, on one line whatever is in it", () => {
  expect(toSseFrame({ type: "text-delta", id: "p1", delta: "a\nb\r\u2028c" })).toBe(
    'data: {"type":"text-delta","id":"p1","delta":"a\\nb\\r\u2028c"}\n\n',
  );
});
