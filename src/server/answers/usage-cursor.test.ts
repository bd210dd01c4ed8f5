import { expect, test } from "vitest";
import { decodeUsageCursor, encodeUsageCursor } from "./usage-cursor.ts";

test("leads back to its place, and only in the query it is of", () => {
  const cursor = encodeUsageCursor(["2026-01-02", "a"]);
  expect(decodeUsageCursor(cursor, 2)).toEqual(["2026-01-02", "a"]);
  for (const wrong of ["nonsense", encodeUsageCursor(["a"]), Buffer.from("[1,2]").toString("base64url")])
    expect(() => decodeUsageCursor(wrong, 2)).toThrow("cursor");
});
