/** The n-th statement fails, for every n: nothing acknowledged is lost, and the other session goes on. */
import { describe, expect, it } from "vitest";
import { RESULT_CODES, type StatementFault } from "./sqlite-faults.ts";
import { playWithStatementFault } from "./statement-faults.ts";
import { sweep } from "./sweep.ts";

const CODES = Object.keys(RESULT_CODES).map(Number);

/** Each n with another result code; all of them come by. */
function codeOf(nth: number): number {
  return CODES[nth % CODES.length]!;
}

async function expectSweep(make: (nth: number) => StatementFault): Promise<void> {
  const { fired, failures } = await sweep(async (nth) => {
    const played = await playWithStatementFault(make(nth));
    return played.fired.length > 0;
  });
  console.log(`${fired} statements failed one after the other`);
  expect(failures.join("\n")).toBe("");
  expect(fired).toBeGreaterThan(0);
}

describe("the n-th statement fails, and no other:", () => {
  it.each(["read", "write", "begin", "commit", "exec"] as const)("%s", (kind) =>
    expectSweep((nth) => ({ kind, nth, times: 1, errcode: codeOf(nth) })),
  );
});

it("the n-th commit succeeds and is reported as failed", () =>
  expectSweep((nth) => ({ kind: "commit", nth, times: 1, errcode: 1034, afterEffect: true })));

it("the n-th write and the two after it fail, as on a disk that is full for a while", () =>
  expectSweep((nth) => ({ kind: "write", nth, times: 3, errcode: 13 })));
