/** Counting a history, over a store that tells what was read. */
import { expect, test } from "vitest";
import type { MessageRecord } from "../../../core/message-record.ts";
import type { MessageQuery, MessageRow, SessionRow } from "../../../core/store.ts";
import { HistoryCounts } from "./history-counts.ts";

const SESSION = { id: "s", createdAt: 1 } as SessionRow;
const OPTIONS = { cwd: "/project", page: "", canApprovePlans: true };

function conversation(length: number) {
  const rows: MessageRow[] = [];
  const read: string[] = [];
  const add = (id: string, state: MessageRow["state"] = "done") => {
    const seq = rows.length + 1;
    rows.push({ id, role: "user", state, firstSeq: seq, lastSeq: seq, position: seq });
  };
  for (let place = 0; place < length; place += 1) add(`m${place}`);
  const listMessages = async (_: string, { limit, before }: MessageQuery) => {
    const end = before === undefined ? rows.length : rows.findIndex(({ id }) => id === before);
    const start = Math.max(0, end - limit);
    return { messages: rows.slice(start, end), hasMore: start > 0 };
  };
  const recordOf = async (_: string, { id }: MessageRow): Promise<MessageRecord> => {
    read.push(id);
    return { id, role: "user", at: 0, parts: [{ type: "text", text: id }] };
  };
  const counts = new HistoryCounts({ store: { listMessages }, history: { recordOf }, pages: {} } as never);
  return { rows, add, read, count: () => counts.count(SESSION, OPTIONS) };
}

test("a long dialog is read once, and after that only what was added", async () => {
  const { add, read, count } = conversation(200);
  expect(await count()).toBe(200);
  expect(read).toHaveLength(200);
  add("new");
  expect(await Promise.all([count(), count()])).toEqual([201, 201]);
  expect(read.slice(200)).toEqual(["new", "m199"]);
});

test("what still changes is counted again, and what was taken back no more", async () => {
  const { rows, add, read, count } = conversation(2);
  add("running", "streaming");
  expect(await count()).toBe(3);
  expect(await count()).toBe(3);
  expect(read.filter((id) => id === "running")).toHaveLength(2);
  expect(read.filter((id) => id === "m0")).toHaveLength(1);
  rows.splice(1);
  expect(await count()).toBe(1);
  // An id that comes again is another message.
  rows.push({ ...rows[0]!, id: "m1", firstSeq: 9, position: 9 });
  expect(await count()).toBe(2);
});
