import { expect, it, vi } from "vitest";
import { findScenario } from "./find-scenario.ts";
import type { Scenario } from "./scenario.ts";
import { SCENARIOS } from "./scenarios/index.ts";
import type { Turn } from "./turn.ts";

/** The name and the argument of the scenario a prompt plays. */
async function playedBy(prompt: string): Promise<[string, string | undefined] | undefined> {
  let played: [string, string | undefined] | undefined;
  const spies = SCENARIOS.map((scenario: Scenario) =>
    vi.spyOn(scenario, "play").mockImplementation(async (_turn, argument) => {
      played = [scenario.name, argument];
    }),
  );
  await findScenario(prompt)?.({} as Turn);
  for (const spy of spies) spy.mockRestore();
  return played;
}

it.each([
  ["scenario:text", "text", undefined],
  ["do this: scenario:approve-two, please", "approve-two", undefined],
  ["scenario:approve", "approve", undefined],
  ["scenario:approve and then scenario:approve-ownstep", "approve-ownstep", undefined],
  ["scenario:burst:500", "burst", "500"],
  ["Try scenario:env:HOME_DIR.", "env", "HOME_DIR"],
  ["scenario:text. And more", "text", undefined],
])("%s plays %s", async (prompt, name, argument) => {
  expect(await playedBy(prompt)).toEqual([name, argument]);
});

it("plays nothing when nothing is named", () => {
  expect(findScenario("what a scenario")).toBeUndefined();
  expect(findScenario("say /help")).toBeUndefined();
});

it("fails for a name nobody knows, and tells the names", async () => {
  const turn = { ending: { reason: "done" } } as Turn;
  await findScenario("scenario:textile")?.(turn);
  expect(turn.ending.error?.code).toBe("unknown_scenario");
  expect(turn.ending.error?.message).toContain("approve-ownstep");
});

it("has names of its own for all scenarios", () => {
  const names = SCENARIOS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
