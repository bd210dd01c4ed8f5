/** Plays the scenario in a daemon of this process while the n-th statement of a kind fails. */

import { startDaemon } from "../../src/daemon.ts";
import { temporaryDirectory } from "../crash/daemon-process.ts";
import { expectNothingLost } from "./expect-nothing-lost.ts";
import { Scenario } from "./scenario.ts";
import { type StatementFault, type StatementKind, watchStatements } from "./sqlite-faults.ts";

export interface PlayedFault {
  /** The statements that failed. */
  fired: readonly string[];
  counts: Readonly<Record<StatementKind, number>>;
}

export async function playWithStatementFault(fault?: StatementFault): Promise<PlayedFault> {
  await using directory = await temporaryDirectory();
  using statements = watchStatements(directory.path);
  statements.fault = fault;
  const scenario = new Scenario(() =>
    startDaemon({ data: directory.path, port: 0, roots: [directory.path] }),
  );
  try {
    await scenario.play();
  } finally {
    statements.fault = undefined;
    await scenario.end();
  }
  // A commit that succeeded and was reported as failed costs nobody anything.
  const survivors = fault === undefined || fault.afterEffect ? 2 : 1;
  await expectNothingLost(directory.path, scenario, survivors);
  return { fired: statements.fired, counts: { ...statements.counts } };
}
