import { expect, it } from "vitest";
import type { SessionEvent } from "./event.ts";
import { foldMessages } from "./fold-messages.ts";
import { foldRecord } from "./fold-record.ts";
import type { MessageRow } from "./store.ts";

const ROW: MessageRow = { id: "m", role: "user", state: "done", firstSeq: 1, lastSeq: 3, turn: "t" };

const LOG = [
  {
    type: "prompt.accepted",
    message: "m",
    parts: [{ type: "text", text: "first" }],
    whenBusy: "queue",
    by: "Ada",
  },
  { type: "prompt.changed", message: "m", parts: [{ type: "text", text: "second" }], by: "Ada" },
  { type: "prompt.dispatched", message: "m", turn: "t", checkpoint: "c" },
].map((event, place) => ({ session: "s", seq: place + 1, at: 1000 * place, ...event }) as SessionEvent);

async function* pages() {
  yield LOG.map((event) => ({ seq: event.seq, json: JSON.stringify(event) }));
}

it("a prompt that waited has the time at which the agent got it, and its checkpoint, as in the conversation", async () => {
  const { record } = await foldRecord(ROW, pages());
  expect(record).toEqual(foldMessages(LOG)[0]);
  expect(record).toMatchObject({ at: 2000, checkpoint: "c", by: "Ada" });
});
