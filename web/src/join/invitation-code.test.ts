import { expect, test } from "vitest";
import { codeInFragment } from "./invitation-code.ts";

test("only the fragment of an invitation has a code", () => {
  expect(codeInFragment("#/join/inv_a1_B-2c")).toBe("inv_a1_B-2c");
  for (const other of [
    "",
    "#/join/",
    "#/join/a/b",
    "#/join/a b",
    "#/sessions/join",
    "#token=abc",
    `#/join/${"a".repeat(257)}`,
  ])
    expect(codeInFragment(other), other).toBeUndefined();
});
