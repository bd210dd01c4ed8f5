import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import { foldMessages } from "../../core/fold-messages.ts";
import { randomLog } from "../../testkit/random-log.ts";
import {
  assistantMessages,
  expectConsistent,
  liveMessage,
  withoutDecisions,
  withoutPreviews,
} from "./expect-consistent.test-support.ts";
import { toUIMessage } from "./to-ui-message.ts";

describe("any conversation", () => {
  it("reads the same live, replayed and stored, in every client", async () => {
    await fc.assert(
      fc.asyncProperty(randomLog, fc.constantFrom("static", "dynamic"), async (log, toolParts) => {
        expect(checkLog(log, { complete: true })).toEqual([]);
        await expectConsistent(log, { toolParts });
      }),
      { numRuns: 150 },
    );
  }, 120_000);

  it("is the same to a client that reads it now as to one that watched it", () => {
    fc.assert(
      fc.property(randomLog, fc.nat(), (log, cut) => {
        const now = log.slice(0, 1 + (cut % log.length)).filter((event) => event.type !== "tool.amended");
        const message = assistantMessages(now).at(-1);
        const record = foldMessages(now).find((candidate) => candidate.id === message);
        if (message === undefined || !record) return;
        const stored = withoutPreviews(withoutDecisions(toUIMessage(record)));
        expect(stored).toEqual(withoutPreviews(withoutDecisions(liveMessage(now, message))));
      }),
      { numRuns: 1500 },
    );
  });
});
