import fc from "fast-check";
import { expect, test } from "vitest";
import { foldMessages } from "../../../src/core/fold-messages.ts";
import { adaptMessage } from "../../../src/dialects/ai-sdk/library.ts";
import { randomLog } from "../../../src/testkit/random-log.ts";
import type { SessionEvent } from "../api/types.ts";
import { ReplayConversation } from "./replay-conversation.ts";

test("at any place the conversation is that of the events so far, however one came there", () => {
  fc.assert(
    fc.property(randomLog, fc.array(fc.nat(200), { minLength: 1, maxLength: 6 }), (log, places) => {
      const created = log[0];
      const session = { agent: created?.type === "session.created" ? created.agent : undefined };
      const conversation = new ReplayConversation(log as SessionEvent[]);
      for (const place of places) {
        const count = Math.min(place, log.length);
        const expected = foldMessages(log.slice(0, count)).map((record) => adaptMessage(record, { session }));
        expect(conversation.at(count, 1000)).toEqual(expected);
      }
    }),
    { numRuns: 30 },
  );
});
