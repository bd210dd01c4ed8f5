/** A database with something of everything, and all that can be read from it, to be compared after damage. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isDeepStrictEqual } from "node:util";
import { MESSAGE_FOLD_VERSION } from "../../core/message-record.ts";
import { sampleEntry, sampleInvitation, sampleToken } from "../contract/people-contract.ts";
import { SampleSession, sampleMessage } from "../contract/sample-session.ts";
import { openStore } from "../open-store.ts";
import type { ReadableStore } from "../readable-store.ts";
import { Connection } from "./connection.ts";
import { DATABASE_FILE } from "./data-directory.ts";
import { indexWords, SELECT_NOTED_TEXTS, type StoredText } from "./message-texts.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const SESSIONS = ["alpha", "beta", "gamma"];
const MESSAGES = ["m1", "m2", "m3"];

/**
 * Writes a database file to `path`, as a killed daemon would leave it. Each session has blocks, a tail, large raw records,
 * messages with records, asks, usage and a snapshot.
 */
export async function makeDatabase(path: string): Promise<void> {
  const directory = temporaryDirectory();
  const samples = SESSIONS.map(
    (id) =>
      new SampleSession(id, {
        title: `Title of ${id}`,
        metadata: { number: 7, of: id },
        updatedAt: 5000,
        pinned: true,
        cost: 123.456789012,
      }),
  );
  const store = await openStore({ directory, sealDelayMs: 0 });
  for (let round = 0; round < 3; round += 1) {
    await store.append(
      samples.map((sample) =>
        sample.batch({
          events: Array.from(
            { length: 400 },
            (_, n) => `${sample.id} says ${round} ${n} ${(n * 7919) % 1009}`,
          ),
          raws: ["in and out", { event: "spawn", pid: 4711 + round }, `${sample.id}${round}`.repeat(40_000)],
          seal: true,
        }),
      ),
    );
  }
  await store.close();
  const again = await openStore({ directory, sealDelayMs: 3_600_000 });
  await again.append(
    samples.map((sample) => {
      const record = (id: string) => ({
        id,
        role: "user" as const,
        at: 1,
        text: `${sample.id} ${id} `.repeat(400),
      });
      return sample.batch({
        events: Array.from({ length: 30 }, (_, n) => `${sample.id} tail ${n}`),
        raws: 20,
        messages: MESSAGES.map((id, n) =>
          sampleMessage(id, {
            position: n + 1,
            lastSeq: n + 2,
            turn: "t",
            request: `{"${id}":1}`,
            ...(n < 2 && { record: record(id), foldVersion: MESSAGE_FOLD_VERSION }),
          }),
        ),
        asks: ["q1", "q2"].map((ask, n) => ({
          ask,
          kind: "question",
          state: "open" as const,
          openedSeq: 7 + n,
          openedAt: 1 + n,
          opened: `{"ask":"${ask}","of":"${sample.id}"}`,
        })),
        usage: [
          {
            day: "2026-01-31",
            usage: { input: 31 },
            cost: 0.25,
            turns: 1,
            durationMs: 70,
            waitedMs: 0,
            tools: 2,
            asks: 1,
            allowed: 1,
            denied: 0,
            model: `model-of-${sample.id}`,
          },
        ],
        snapshot: { seq: 1200, json: JSON.stringify({ head: 1200, of: sample.id }) },
        searchText: `words of ${sample.id}`,
        texts: MESSAGES.map((message, n) => ({ message, at: n, text: `${sample.id} said zebra ${message}` })),
        row: { openAsks: 2 },
      });
    }),
  );
  for (const id of SESSIONS) {
    await again.addInvitation(sampleInvitation(id, { session: id, name: `guest of ${id}` }));
    await again.redeemInvitation(id, sampleToken(id, { invitation: id, sessions: [id], expiresAt: 9000 }));
  }
  const entries = Array.from({ length: 100 }, (_, n) => sampleEntry({ at: n, session: SESSIONS[n % 3] }));
  await again.appendAudit(entries);
  // Copied before it is closed: closing would pack the tail.
  const reader = new DatabaseSync(join(directory, DATABASE_FILE));
  reader.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  reader.close();
  copyFileSync(join(directory, DATABASE_FILE), path);
  await again.close();
  const copy = new Connection(path);
  // A search reads both the indexed texts and the noted ones.
  for (const text of copy.all<StoredText>(SELECT_NOTED_TEXTS, Number.MAX_SAFE_INTEGER))
    if (text.id % 2 === 0) indexWords(copy, text);
  // VACUUM leaves no second, forgotten copy of a value in the file.
  copy.exec("PRAGMA journal_mode = DELETE; VACUUM; PRAGMA journal_mode = WAL");
  copy.close();
}

/** The answers of every read, by its name: what it gave, or the code it failed with. Throws for any other error. */
export async function readEverything(store: ReadableStore): Promise<Map<string, unknown>> {
  const answers = new Map<string, unknown>();
  const ask = async (name: string, read: () => Promise<unknown>) => {
    try {
      answers.set(name, await read());
    } catch (error) {
      const { code } = error as { code?: string };
      if (code !== "session_damaged" && code !== "database_damaged") throw error;
      answers.set(name, new Refused(code));
    }
  };
  await ask("list", async () => (await store.listSessions({ limit: 100 })).sessions);
  await ask("unfinished", () => store.unfinishedSessions());
  await ask("asks", () => store.openAsks().then(({ asks }) => asks));
  await ask("usage", () => store.usage({ limit: 1000 }).then(({ rows }) => rows));
  await ask("search", () => store.searchMessages({ words: "zebra", limit: 100 }).then(({ hits }) => hits));
  await ask("tokens", () => store.listTokens());
  await ask("invitations", () => store.listInvitations());
  await ask("audit", () => store.readAudit({ limit: 1000 }).then(({ entries }) => entries));
  for (const id of SESSIONS) {
    await ask(`${id} invitation`, () => store.getInvitation(id));
    await ask(`${id} audit`, () =>
      store.readAudit({ limit: 1000, session: id }).then(({ entries }) => entries),
    );
    await ask(`${id} session`, () => store.getSession(id));
    await ask(`${id} state`, () => store.loadState(id));
    await ask(`${id} asks`, () => store.openAsks({ session: id }).then(({ asks }) => asks));
    await ask(`${id} ask`, () => store.getAsk(id, "q1"));
    await ask(`${id} history`, () => store.listMessages(id, { limit: 100 }));
    for (const message of MESSAGES) await ask(`${id} ${message}`, () => store.getMessage(id, message));
    for (const after of [0, 350, 1190]) {
      await ask(`${id} events ${after}`, () => store.readEvents(id, after, 500));
      await ask(`${id} raws ${after}`, () => store.readRaws(id, Math.floor(after / 200), 4));
    }
  }
  return answers;
}

/** What a read was refused with. */
export class Refused {
  readonly code: string;

  constructor(code: string) {
    this.code = code;
  }
}

export type Answers = ReadonlyMap<string, unknown>;

export interface Comparison {
  /** Reads that gave something else than what was written. There must be none. */
  wrong: string[];
  /** Reads that gave less, or an error. The check has to know why. */
  lacking: string[];
}

/**
 * A list may lack entries, a session or message may be unknown, a snapshot or record left out (the log gives the same):
 * an index or a row is damaged then. Whatever is given has to be what was written.
 */
export function compareAnswers(written: Answers, given: Answers): Comparison {
  const comparison: Comparison = { wrong: [], lacking: [] };
  for (const [name, answer] of given) {
    const before = written.get(name);
    if (isDeepStrictEqual(answer, before) || isWithoutSnapshot(answer, before)) continue;
    comparison.lacking.push(name);
    if (!(answer instanceof Refused) && !isPartOf(answer, before)) comparison.wrong.push(name);
  }
  return comparison;
}

function isPartOf(answer: unknown, whole: unknown): boolean {
  if (answer === undefined || isDeepStrictEqual(answer, whole) || isUnknown(answer)) return true;
  if (Array.isArray(answer) && Array.isArray(whole)) {
    let at = -1;
    return answer.every((entry) => {
      at = whole.findIndex((candidate, index) => index > at && isPartOf(entry, candidate));
      return at >= 0;
    });
  }
  if (!isRecord(answer) || !isRecord(whole)) return false;
  // Of a session or message: all of it but what is made again from the log.
  if ("messages" in whole)
    return answer.hasMore === whole.hasMore && isPartOf(answer.messages, whole.messages);
  return isDeepStrictEqual(withoutFolds(answer), withoutFolds(whole)) && isFoldOrNone(answer, whole);
}

/** A session may have no snapshot, so a check cannot know that one is lost. */
function isWithoutSnapshot(answer: unknown, whole: unknown): boolean {
  if (!isRecord(answer) || !isRecord(whole) || answer.snapshot !== undefined) return false;
  return isDeepStrictEqual({ ...answer, snapshot: undefined }, { ...whole, snapshot: undefined });
}

/** A page of a log that is not found. */
function isUnknown(answer: unknown): boolean {
  return isRecord(answer) && answer.head === 0;
}

function withoutFolds({ snapshot: _snapshot, record: _record, ...rest }: Record<string, unknown>): object {
  return rest;
}

function isFoldOrNone(answer: Record<string, unknown>, whole: Record<string, unknown>): boolean {
  return ["snapshot", "record"].every(
    (name) => answer[name] === undefined || isDeepStrictEqual(answer[name], whole[name]),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Numbers that look random and are the same for the same seed. */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
