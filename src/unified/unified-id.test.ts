import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sha256 } from "./sha256.ts";
import { unifiedId } from "./unified-id.ts";

test("the hash is that of Node, for any text", () => {
  const hex = (text: string) => [...sha256(text)].map((word) => word.toString(16).padStart(8, "0")).join("");
  const expectSame = (text: string) => {
    expect(hex(text)).toBe(createHash("sha256").update(text).digest("hex"));
  };
  // Around the ends of blocks.
  for (let length = 0; length < 200; length += 1) expectSame("x".repeat(length));
  fc.assert(fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), expectSame));
});

test("an id is shaped like a UUID of version 4, and differs by session and place", () => {
  const ids = ["a", "b"].flatMap((session) =>
    ["1.0", "1.1", "11.0", "message:1"].map((place) => unifiedId(session, place)),
  );
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(ids).size).toBe(ids.length);
  // Stored by clients: it must not change.
  expect(unifiedId("demo", "42.0")).toMatchInlineSnapshot(`"076a8025-29c5-45b5-9f76-e11e81765b97"`);
});
