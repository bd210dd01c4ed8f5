import { expect, test } from "vitest";
import type { SessionEvent } from "./event.ts";
import { MessageFold } from "./fold-messages.ts";
import { foldRecord } from "./fold-record.ts";

test("a prompt that waited over a restart is said when its turn begins, as in the fold of the whole log", async () => {
  const parts = [{ type: "text", text: "hello" }];
  const log = [
    { type: "prompt.accepted", message: "u1", parts, whenBusy: "queue", by: "ada", at: 10 },
    { type: "prompt.dispatched", message: "u1", turn: "t2", at: 20 },
    { type: "prompt.returned", message: "u1", at: 30 },
    { type: "prompt.dispatched", message: "u1", turn: "t4", checkpoint: "c1", at: 40 },
  ].map((event, index) => ({ session: "s", seq: index + 1, ...event }) as SessionEvent);
  const fold = new MessageFold();
  for (const event of log) fold.add(event);
  const row = { id: "u1", role: "user", state: "done", firstSeq: 1, lastSeq: 4, turn: "t4" } as const;
  async function* pages() {
    yield log.map((event) => ({ seq: event.seq, json: JSON.stringify(event) }));
  }
  const { record } = await foldRecord(row, pages());
  expect(record).toEqual(fold.messages[0]);
  expect(record).toMatchObject({ at: 40, checkpoint: "c1", by: "ada" });
});
