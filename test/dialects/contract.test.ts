/** Every dialect, and the stream of `/v1`, over random logs and every scenario of the mock. Recordings are in test/recordings/. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SCENARIOS } from "../../src/agents/mock/program/scenarios/index.ts";
import { withMock } from "../../src/agents/mock/with-mock.test-support.ts";
import { randomLog } from "../../src/dialects/ai-sdk/random-log.test-support.ts";
import { DIALECTS } from "../../src/dialects/registry.ts";
import { expectBoundedMemory, expectDialectContract } from "../../src/testkit/dialect-contract/index.ts";
import { CONTRACTS } from "./contracts.ts";

/** They end only when they are stopped, or are about size alone. */
const LEFT_OUT = /hang|huge/;

const mock = withMock();

it("every dialect of the registry is held to the contract", () => {
  expect(Object.keys(CONTRACTS)).toEqual(expect.arrayContaining(DIALECTS.map(({ name }) => name)));
});

describe.each(Object.entries(CONTRACTS))("%s", (_, contract) => {
  it("gives a client that was cut off what one has that was not, over random logs", async () => {
    await fc.assert(
      fc.asyncProperty(randomLog, fc.nat(), (log, seed) =>
        expectDialectContract(contract, log, { seed, cuts: 20 }),
      ),
      { numRuns: 100 },
    );
  });

  it("remembers no more than what is open", () => expectBoundedMemory(contract));
});

describe("every scenario of the mock", () => {
  it.each(SCENARIOS.map(({ name }) => name).filter((name) => !LEFT_OUT.test(name)))("%s", async (name) => {
    const { events } = await mock().play(`scenario:${name}`);
    expect(events.map(({ type }) => type)).toContain("turn.ended");
    for (const contract of Object.values(CONTRACTS)) await expectDialectContract(contract, events);
  });
});
