/** Texts that an older program did not write are added in the background. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SessionEvent } from "../../core/event.ts";
import { MESSAGE_FOLD_VERSION } from "../../core/message-record.ts";
import type { AskRow, MessageRow, SessionAppend } from "../../core/store.ts";
import { until } from "../../testkit/until.ts";
import { SampleSession, sampleMessage } from "../contract/sample-session.ts";
import type { Connection } from "./connection.ts";
import { openDatabase } from "./open-database.ts";
import { SqliteStore, type SqliteStoreOptions } from "./sqlite-store.ts";
import { removeTemporaryDirectories, temporaryDirectory } from "./temporary-directory.ts";

const NEVER = 3_600_000;

let directory: string;
let connection: Connection;
let store: SqliteStore;
let sample: SampleSession;

beforeEach(async () => {
  directory = temporaryDirectory();
  sample = new SampleSession("a");
  open();
});

afterEach(async () => {
  await store.close();
  removeTemporaryDirectories();
});

function open(options: SqliteStoreOptions = {}): void {
  connection = openDatabase(directory);
  store = new SqliteStore(connection, { indexDelayMs: 0, backlogPauseMs: 0, ...options });
}

/** As a step leaves it that needs the texts of all messages anew. */
async function reopen(damage = "", options: SqliteStoreOptions = {}): Promise<void> {
  await store.close();
  connection = openDatabase(directory);
  connection.exec(`INSERT INTO text_backlog SELECT 1, max(row_id) + 1 FROM message; ${damage}`);
  connection.close();
  open(options);
}

/** As a program leaves it that knew no texts. */
const WITHOUT_TEXTS = `DELETE FROM message_text; DELETE FROM text_to_index;
  INSERT INTO message_search (message_search) VALUES ('delete-all');`;

function prompt(id: string, text: string, position: number): MessageRow {
  const record = { id, role: "user" as const, at: position, parts: [{ type: "text" as const, text }] };
  return sampleMessage(id, { position, record, foldVersion: MESSAGE_FOLD_VERSION });
}

function answer(id: string, position: number, events: object[]): MessageRow {
  const record = { id, role: "assistant" as const, at: position, events: events as SessionEvent[] };
  return sampleMessage(id, { role: "assistant", position, record, foldVersion: MESSAGE_FOLD_VERSION });
}

async function append(messages: MessageRow[], more: Partial<SessionAppend> = {}): Promise<void> {
  await store.append([{ ...sample.batch({ events: 1 }), messages, ...more }]);
}

async function untilSearched(): Promise<void> {
  await until(async () => !(await store.searchMessages({ words: "zebra", limit: 1 })).isIncomplete);
}

async function found(words: string): Promise<string[]> {
  const { hits } = await store.searchMessages({ words, limit: 100 });
  return hits.map(({ message }) => message);
}

describe("texts that are missing", () => {
  it("are added little by little, also of messages that have no record", async () => {
    const json = JSON.stringify({
      ...{ session: "a", seq: 1, at: 7, type: "prompt.accepted", message: "logged", whenBusy: "queue" },
      parts: [{ type: "text", text: "A zebra of the log" }],
    });
    const messages = Array.from({ length: 50 }, (_, n) => prompt(`m${n}`, `Zebra ${n}`, n + 2));
    await append([sampleMessage("logged", { position: 1 }), ...messages], { events: [{ seq: 1, json }] });
    await reopen(WITHOUT_TEXTS);
    await untilSearched();
    expect(await found("zebra")).toHaveLength(51);
    expect(await found("zebra log")).toEqual(["logged"]);
    expect((await store.check()).problems).toEqual([]);
  });

  it("are added where the daemon stopped, and new ones are found meanwhile", async () => {
    await append([prompt("m1", "Zebra", 1), prompt("m2", "Zebra", 2)]);
    await reopen(WITHOUT_TEXTS, { backlogPauseMs: NEVER });
    await append([sampleMessage("new", { position: 3 })], {
      texts: [{ message: "new", at: 7, text: "A new zebra" }],
    });
    expect(await store.searchMessages({ words: "zebra", limit: 10 })).toMatchObject({
      isIncomplete: true,
      hits: [{ message: "new", at: 7, snippet: [{ text: "A new " }, { text: "zebra", match: true }] }],
    });
    await store.close();
    open();
    await untilSearched();
    expect(await found("zebra")).toEqual(["new", "m2", "m1"]);
  });

  it("are left out where a message is damaged; where only its record is, the log says the same", async () => {
    const json = JSON.stringify({
      ...{ session: "a", seq: 1, at: 7, type: "prompt.accepted", message: "logged", whenBusy: "queue" },
      parts: [{ type: "text", text: "A zebra of the log" }],
    });
    await append(
      [prompt("logged", "A zebra of the log", 1), prompt("damaged", "Zebra", 2), prompt("m", "Zebra", 3)],
      {
        events: [{ seq: 1, json }],
      },
    );
    await reopen(`${WITHOUT_TEXTS} UPDATE message SET role = 'system' WHERE id = 'damaged';
      UPDATE message SET record = x'00' WHERE id = 'logged'`);
    await untilSearched();
    expect(await found("zebra")).toEqual(["m", "logged"]);
  });

  it("get what an older program left out of them, as questions", async () => {
    const opened = { type: "ask.opened", ask: "a", kind: "question", title: "Which okapi?", options: [] };
    const said = { type: "text.delta", part: "p", delta: "One thing." };
    const row: AskRow = {
      ...{ ask: "a", kind: "question", state: "answered", openedSeq: 1, openedAt: 5 },
      opened: JSON.stringify(opened),
    };
    await append([answer("asked", 1, [said, opened]), answer("silent", 2, [said])], {
      asks: [row],
      texts: ["asked", "silent"].map((message) => ({ message, at: 5, text: "One thing." })),
    });
    await reopen();
    await untilSearched();
    expect(await found("okapi")).toEqual(["asked"]);
    expect(await found("thing")).toEqual(["silent", "asked"]);
    expect((await store.check()).problems).toEqual([]);
  });
});
