import { expect, it } from "vitest";
import { whyUnfinished } from "./tool-ending.ts";

it("tells a call that was stopped from one that failed", () => {
  const state = "output-error";
  expect(whyUnfinished({ state, result: { call: "c", unfinished: "stopped" } })).toBe("Stopped");
  expect(whyUnfinished({ state, result: { call: "c", unfinished: "lost" } })).toBe("Cut off");
  expect(whyUnfinished({ state, result: { call: "c", exitCode: 1 } })).toBeUndefined();
  expect(whyUnfinished({ state })).toBeUndefined();
  // A result came after all.
  const result = { call: "c", unfinished: "stopped" } as const;
  expect(whyUnfinished({ state: "output-available", result })).toBeUndefined();
});
