/** Reads what is stored at the end of a chaos run, also where the store finds that it is not what was written. */
import type { Store } from "../../../src/core/store.ts";
import { openPostgres } from "../../../src/store/postgres/open-postgres.ts";
import type { TestPostgres } from "../../postgres/start-postgres.ts";
import type { FinalEntry, FinalLog } from "./history.ts";

export interface FinalState {
  logs: FinalLog[];
  /** What the store says of its own data. */
  problems: string[];
}

/** @param heads Where each log ended when the last fault was over. */
export async function readLogs(
  postgres: TestPostgres,
  url: string,
  heads: ReadonlyMap<string, number>,
): Promise<FinalState> {
  const store = await openPostgres({ url });
  try {
    const logs: FinalLog[] = [];
    for (const [session, headAfterFaults] of heads) {
      const events = await readEvents(store, session).catch(async () => {
        const readable = await readUntilDamaged(store, session);
        return [...readable, ...(await readTail(postgres, url, session, readable.length))];
      });
      const raws = await readRaws(store, session).catch(() => []);
      logs.push({ session, headAfterFaults, events, raws });
    }
    return { logs, problems: (await store.check()).problems };
  } finally {
    await store.close();
  }
}

const ALL = 1_000_000;

async function readEvents(store: Store, session: string, after = 0, limit = ALL): Promise<FinalEntry[]> {
  const { events } = await store.readEvents(session, after, limit);
  return events.map(({ seq, json }) => eventEntry(seq, json));
}

function eventEntry(place: number, json: string): FinalEntry {
  const { seq, delta } = JSON.parse(json) as { seq: number; delta: string };
  return { place, seq, text: delta };
}

async function readRaws(store: Store, session: string): Promise<FinalEntry[]> {
  const { raws } = await store.readRaws(session, 0, ALL);
  return raws.map(({ rawSeq, data }) => {
    const { seq, by } = JSON.parse(String(data)) as { seq: number; by: string };
    return { place: rawSeq, seq, text: by };
  });
}

async function readUntilDamaged(store: Store, session: string): Promise<FinalEntry[]> {
  const entries: FinalEntry[] = [];
  for (;;) {
    const next = await readEvents(store, session, entries.length, 1).catch(() => []);
    if (next.length === 0) return entries;
    entries.push(...next);
  }
}

/** As it lies there. */
async function readTail(
  postgres: TestPostgres,
  url: string,
  session: string,
  after: number,
): Promise<FinalEntry[]> {
  const rows = await postgres.query<{ first: string; last: string; data: Buffer }>(
    `SELECT first, last, data FROM interlingua.tail JOIN interlingua.session ON session.id = tail.session
      WHERE key = '${session}' AND last > ${after} ORDER BY last, raw_last`,
    new URL(url).pathname.slice(1),
  );
  return rows.flatMap(({ first, last, data }) => {
    const lines = data
      .toString()
      .split("\n")
      .slice(0, Number(last) - Number(first) + 1);
    return lines.map((json, index) => eventEntry(Number(first) + index, json));
  });
}
