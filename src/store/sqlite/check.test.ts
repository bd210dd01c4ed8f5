import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MESSAGE_FOLD_VERSION } from "../../core/message-record.ts";
import { sampleEntry, sampleInvitation, sampleToken } from "../contract/people-contract.ts";
import { SampleSession, sampleMessage } from "../contract/sample-session.ts";
import { computeChecksums } from "./checksum-test-support.ts";
import type { Connection } from "./connection.ts";
import { openDatabase } from "./open-database.ts";
import { SqliteStore } from "./sqlite-store.ts";
import { removeTemporaryDirectories, temporaryDirectory } from "./temporary-directory.ts";

let connection: Connection;
let store: SqliteStore;

beforeEach(async () => {
  const directory = temporaryDirectory();
  const sample = new SampleSession("a");
  const first = new SqliteStore(openDatabase(directory));
  await first.append([sample.batch({ events: 5, raws: ["r", "x".repeat(100_000)], seal: true })]);
  await first.close();
  connection = openDatabase(directory);
  store = new SqliteStore(connection);
  const record = { id: "m", role: "user" as const, at: 1 };
  await store.append([
    sample.batch({
      events: 5,
      raws: 2,
      messages: [sampleMessage("m", { lastSeq: 6, record, foldVersion: MESSAGE_FOLD_VERSION })],
      asks: [{ ask: "q", kind: "question", state: "open", openedSeq: 7, openedAt: 1, opened: "{}" }],
      texts: [{ message: "m", at: 1, text: "hello" }],
      snapshot: { seq: 10, json: "{}" },
      usage: [
        {
          day: "2026-01-31",
          usage: { input: 3 },
          cost: 1,
          turns: 1,
          durationMs: 1,
          waitedMs: 0,
          tools: 1,
          asks: 1,
          allowed: 1,
          denied: 0,
        },
      ],
    }),
  ]);
  await store.addInvitation(sampleInvitation("i"));
  await store.redeemInvitation("i", sampleToken("k", { invitation: "i", sessions: ["a"] }));
  await store.appendAudit([sampleEntry(), sampleEntry()]);
});

afterEach(async () => {
  await store.close();
  removeTemporaryDirectories();
});

describe("check", () => {
  it("counts a healthy database", async () => {
    expect(await store.check()).toEqual({ ok: true, sessions: 1, events: 10, problems: [] });
  });

  describe("of rows whose checksums fit", () => {
    it.each([
      ["UPDATE session SET head = 12", 'Session "a": its log ends at event 10, its row says 12.'],
      ["UPDATE session SET raw_head = 3", 'Session "a": its log ends at raw record 4, its row says 3.'],
      ["DELETE FROM block", 'Session "a": event 6 follows event 0.'],
      ["DELETE FROM raw_blob", 'Session "a": the data of raw record 2 is missing.'],
      ["UPDATE raw_blob SET data = x'00'", 'Session "a": the data of raw record 2 cannot be unpacked'],
      [
        "UPDATE block SET codec = 1, data = x'28B52FFD00'",
        'Session "a": the block of events 1 to 5 cannot be unpacked',
      ],
      ["UPDATE block SET codec = 9", "codec 9"],
      ["UPDATE block SET format = 9", "format 9"],
      [
        `UPDATE tail SET events = replace(events, '"seq":8', '"seq":7')`,
        'Session "a": event 8 is not what it should be',
      ],
      ["UPDATE tail SET events = replace(events, '}', '')", 'Session "a": event 6 is not what it should be'],
      ["UPDATE tail SET events = events || char(10) || '{}'", "events 6 to 10 are 6 lines instead of 5"],
      [
        "UPDATE tail SET raws = replace(raws, 'in 3 ', 'in 9 ')",
        'Session "a": raw record 3 is not what it should be',
      ],
      [
        "UPDATE message SET last_seq = 11",
        'Session "a": message "m" is of events 1 to 11, the log has 1 to 10.',
      ],
      ["UPDATE message SET record = x'00'", 'Session "a": the record of message "m" is not valid JSON'],
      [
        "UPDATE ask SET opened_seq = 11",
        'Session "a": ask "q" was opened by event 11, which is not in the log.',
      ],
      ["UPDATE ask SET opened = '{'", 'Session "a": ask "q" is not valid JSON'],
      ["UPDATE snapshot SET seq = 11", 'Session "a": its snapshot is of event 11, which is not in the log.'],
      ["UPDATE snapshot SET session = 99", "The table snapshot has 1 rows of sessions that do not exist."],
      ["DELETE FROM session", "The table tail has 1 rows of sessions that do not exist."],
    ])("after %s says: %s", async (damage, problem) => {
      connection.exec(damage);
      computeChecksums(connection);
      connection.exec("UPDATE block SET checksum = NULL; UPDATE raw_blob SET checksum = NULL");
      const report = await store.check();
      expect(report.ok).toBe(false);
      expect(report.problems.join("\n")).toContain(problem);
    });
  });

  it.each([
    [
      "UPDATE session SET title = 'another'",
      'Session "a": it cannot be read: its row does not match its checksum.',
    ],
    [
      "UPDATE session SET archived = 1",
      'Session "a": it cannot be read: its row does not match its checksum.',
    ],
    [
      "UPDATE message_text SET text = 'hellp'",
      "what is stored of a message's text does not match its checksum.",
    ],
    ["UPDATE message_text SET at = 2", "what is stored of a message's text does not match its checksum."],
    ["UPDATE session SET head = 9", "what is stored of its log's length does not match its checksum."],
    [
      "UPDATE block SET data = CAST(substr(data, 1, 20) || x'00' || substr(data, 22) AS BLOB)",
      "the block of events 1 to 5 does not match",
    ],
    ["UPDATE block SET checksum = checksum + 1", "the block of events 1 to 5 does not match its checksum."],
    ["UPDATE tail SET events = replace(events, 'text', 'texd')", "the row of events 6 to 10 does not match"],
    ["UPDATE tail SET raws = replace(raws, 'line', 'lone')", "the row of raw records 3 to 4 does not match"],
    ["UPDATE raw_blob SET codec = 2", "the data of raw record 2 does not match its checksum."],
    ["UPDATE message SET role = 'system'", 'message "m" does not match its checksum.'],
    ["UPDATE message SET record = x'7b7d'", 'the record of message "m" does not match its checksum.'],
    ["UPDATE message SET record = NULL, codec = NULL", 'the record of message "m" is not what was stored.'],
    ["UPDATE ask SET opened = '[]'", 'ask "q" does not match its checksum.'],
    ["UPDATE usage_day SET turns = 7", "the usage of 2026-01-31 does not match its checksum."],
    ["UPDATE snapshot SET json = '[]'", "the snapshot does not match its checksum."],
    ["UPDATE token SET role = 'owner'", 'Token "k" does not match its checksum.'],
    ["UPDATE invitation SET used_at = NULL", 'Invitation "i" does not match its checksum.'],
    ["DELETE FROM invitation", 'Token "k" is of the invitation "i", which was not exchanged for it.'],
    [
      "UPDATE audit SET actor = 'anna' WHERE seq = 1",
      "Entry 1 of the audit log does not match its checksum.",
    ],
  ])("by checksums, after %s says: %s", async (damage, problem) => {
    connection.exec(damage);
    const report = await store.check();
    expect(report.problems.join("\n")).toContain(problem);
  });
});
