/** A sample of the fault suite (npm run test:faults): a few statements that fail, another few with each seed. */
import { expect, it } from "vitest";
import { seededRandom } from "../src/testkit/random.ts";
import { RESULT_CODES } from "./faults/sqlite-faults.ts";
import { playWithStatementFault } from "./faults/statement-faults.ts";

const random = seededRandom("faults sample");

it("nothing is lost when one statement fails", { timeout: 120_000 }, async () => {
  const { counts } = await playWithStatementFault();
  const played = await Promise.all(
    (["read", "write", "begin", "commit"] as const).map((kind) => {
      // Not the last ones: how many there are depends on how the commits of two sessions fall together.
      const nth = random.integer(1, Math.floor(counts[kind] / 2));
      const errcode = Number(random.pick(Object.keys(RESULT_CODES)));
      return playWithStatementFault({ kind, nth, times: 1, errcode });
    }),
  );
  for (const { fired } of played) expect(fired).toHaveLength(1);
});
