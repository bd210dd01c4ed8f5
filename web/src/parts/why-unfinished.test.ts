import { expect, it } from "vitest";
import { whyUnfinished } from "./why-unfinished.ts";

it("tells a call that was stopped from one that failed", () => {
  expect(whyUnfinished({ state: "output-error", errorText: "the turn was stopped" })).toBe("Stopped");
  expect(whyUnfinished({ state: "output-error", errorText: "the turn ended without its result" })).toBe(
    "Cut off",
  );
  expect(whyUnfinished({ state: "output-error", errorText: "no such file" })).toBeUndefined();
  expect(whyUnfinished({ state: "output-error" })).toBeUndefined();
  expect(whyUnfinished({ state: "output-available", errorText: "the turn was stopped" })).toBeUndefined();
});
