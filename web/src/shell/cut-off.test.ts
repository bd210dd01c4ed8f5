import { expect, test } from "vitest";
import { cutOff } from "./cut-off.ts";

test("those that worked or waited and no longer do were cut off; what is gone was not", () => {
  const before = new Map(
    Object.entries({ a: "running", b: "waiting", c: "idle", d: "running", e: "waiting" } as const).map(
      ([id, status]) => [id, { status }],
    ),
  );
  const after = new Map(
    Object.entries({ a: "idle", b: "failed", c: "idle", d: "recovering" } as const).map(([id, status]) => [
      id,
      { status },
    ]),
  );
  expect(cutOff(before, after)).toEqual(["a", "b"]);
});
