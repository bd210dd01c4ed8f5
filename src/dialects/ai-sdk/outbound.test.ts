import { describe, expect, it } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import { expectConsistent } from "./expect-consistent.test-support.ts";
import { logOf, SCENARIOS, type ScenarioName } from "./scenarios.test-support.ts";

describe.each(Object.keys(SCENARIOS) as ScenarioName[])("%s", (name) => {
  it("is a well-formed log", () => {
    expect(checkLog(logOf(name), { complete: true })).toEqual([]);
  });

  it.each(["static", "dynamic"] as const)(
    "reads the same everywhere, with %s tool parts",
    async (toolParts) => {
      await expectConsistent(logOf(name), { toolParts });
    },
  );
});
