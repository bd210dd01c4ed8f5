/** The contract of dialects as a suite of tests, over random conversations and over logs that are given. */
import fc from "fast-check";
import { describe, it } from "vitest";
import type { SessionEvent } from "../../core/event.ts";
import { randomLog } from "../random-log.ts";
import { type DialectContract, expectBoundedMemory, expectDialectContract } from "./dialect-contract.ts";

export interface DialectSuite extends DialectContract {
  /** What the tests are called. */
  readonly name: string;
  /** How many random conversations. 100 when absent. */
  readonly runs?: number;
  /** Further logs, by what they are about: whole sessions that a daemon recorded, say. */
  readonly logs?: Readonly<Record<string, readonly SessionEvent[]>>;
}

/** @example describeDialectContract({ name: "lines", view: dialect.view }); */
export function describeDialectContract({ name, runs = 100, logs = {}, ...contract }: DialectSuite): void {
  describe(name, () => {
    it("gives a client that was cut off what one has that was not, over random logs", async () => {
      await fc.assert(
        fc.asyncProperty(randomLog, fc.nat(), (log, seed) =>
          expectDialectContract(contract, log, { seed, cuts: 20 }),
        ),
        { numRuns: runs },
      );
    });

    it("remembers no more than what is open", () => expectBoundedMemory(contract));

    it.each(Object.keys(logs))("keeps the contract over %s", (title) =>
      expectDialectContract(contract, logs[title]!),
    );
  });
}
