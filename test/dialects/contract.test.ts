/** Every dialect, and the stream of `/v1`, over random logs and every scenario of the mock. Recordings are in test/recordings/. */
import { describe, expect, it } from "vitest";
import { SCENARIOS } from "../../src/agents/mock/program/scenarios/index.ts";
import { withMock } from "../../src/agents/mock/with-mock.test-support.ts";
import type { SessionEvent } from "../../src/core/event.ts";
import { DIALECTS } from "../../src/dialects/registry.ts";
import { describeDialectContract, expectDialectContract } from "../../src/testkit/dialect-contract/index.ts";
import { CONTRACTS } from "./contracts.ts";

const mock = withMock();

it("every dialect of the registry is held to the contract", () => {
  expect(Object.keys(CONTRACTS)).toEqual(expect.arrayContaining(DIALECTS.map(({ name }) => name)));
});

for (const [name, contract] of Object.entries(CONTRACTS)) describeDialectContract({ name, ...contract });

describe("every scenario of the mock", () => {
  it.each(SCENARIOS.map(({ name }) => name))("%s", async (name) => {
    const events = await eventsOf(name);
    expect(events.map(({ type }) => type)).toContain("turn.ended");
    for (const contract of Object.values(CONTRACTS)) await expectDialectContract(contract, events);
  });
});

async function eventsOf(scenario: string): Promise<readonly SessionEvent[]> {
  // Its usual 20 MB are about size alone.
  if (scenario === "huge") return (await mock().play("scenario:huge:1")).events;
  if (!scenario.startsWith("hang")) return (await mock().play(`scenario:${scenario}`)).events;
  const run = await mock().start();
  await run.prompt(`scenario:${scenario}`);
  await run.until(() => run.of("text.delta").length > 0);
  // One that is deaf ends only with its process.
  if (scenario === "hang") await run.interrupt();
  return run.close();
}
