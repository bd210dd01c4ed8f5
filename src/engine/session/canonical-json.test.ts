import { expect, test } from "vitest";
import { requestDigest } from "./canonical-json.ts";

test("equal requests have equal digests, in whatever order their fields come", async () => {
  const one = await requestDigest({ a: 1, b: { c: [1, 2], d: "x" }, e: undefined });
  expect(await requestDigest({ b: { d: "x", c: [1, 2] }, a: 1 })).toBe(one);
  expect(await requestDigest({ b: { d: "x", c: [2, 1] }, a: 1 })).not.toBe(one);
});

test("a digest is what earlier versions stored", async () => {
  const odd = {
    parts: [{ type: "text", text: 'grüße \u{1f600} \ud800 "x"\n' }],
    b: undefined,
    10: [1, undefined, null],
    9: { z: true, a: 1.5 },
    d: {},
  };
  expect(await requestDigest(odd)).toBe("99L-mr8oBpADs5ez8wx6yrUXnPfXhuxK3SMibP5ax9w");
});

test("a long text is taken in pieces and has the digest of the whole", async () => {
  const text = "\u{1f600}x".repeat(1_000_000);
  expect(await requestDigest({ parts: [{ type: "text", text }] })).toBe(
    "Vj3Z8kzeZ9l1Tpw6Q5HWmyEN40LpgqBEX4F98iW9c2k",
  );
});
