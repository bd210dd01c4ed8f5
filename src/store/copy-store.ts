/** Copies everything of one store into an empty one of any kind, and reads the copy once to see that it is whole. */
import type { AuditRow } from "../core/people-store.ts";
import type {
  ClientKey,
  MessageRow,
  SearchText,
  SessionAppend,
  SessionRow,
  UsageIncrement,
} from "../core/store.ts";
import { CopiedSearchTexts } from "./copied-search-texts.ts";
import type { CopySource, Numbered, SessionHome } from "./copy-source.ts";
import type { CopyTarget } from "./copy-target.ts";

export interface CopyOptions {
  /** Called now and then with how many sessions are done. */
  onProgress?(sessions: number): void;
  /** Called when everything is copied and the verification begins. */
  onCheck?(): void;
}

export interface CopyResult {
  sessions: number;
  events: number;
}

const PAGE_ENTRIES = 500;
const PAGE_BYTES = 1024 * 1024;

/** Nobody may write to either. Throws a sentence where the source cannot be read, or the copy is not whole. */
export async function copyStore(
  source: CopySource,
  target: CopyTarget,
  options: CopyOptions = {},
): Promise<CopyResult> {
  let sessions = 0;
  let events = 0;
  for await (const { id } of pages((after) => source.sessionsAfter(after, PAGE_ENTRIES))) {
    events += await copySession(source, target, id);
    sessions += 1;
    options.onProgress?.(sessions);
  }
  await copyRuns(
    source,
    target,
    pages((after) => source.messagesAfter(after, PAGE_ENTRIES / 5)),
    addMessage,
  );
  await copyRuns(
    source,
    target,
    pages((after) => source.keysAfter(after, PAGE_ENTRIES)),
    addKey,
  );
  await copyHomes(source, target);
  await copyPeople(source, target);
  options.onCheck?.();
  const report = await target.check();
  if (!report.ok) throw new Error(`The copy is not whole: ${report.problems[0]}`);
  if (report.sessions !== sessions || report.events !== events)
    throw new Error(
      `The copy has ${report.sessions} sessions and ${report.events} events instead of ${sessions} and ${events}. Was the source changed meanwhile? Copy it again.`,
    );
  return { sessions, events };
}

/** The log, then what is kept beside it. Returns the number of events. */
async function copySession(source: CopySource, target: CopyTarget, session: string): Promise<number> {
  const state = await source.loadState(session);
  if (!state)
    throw new Error(`Session "${session}" is gone. Was the source changed meanwhile? Copy it again.`);
  const { row, snapshot } = state;
  const search = new CopiedSearchTexts();
  let [head, rawHead] = [0, 0];
  do {
    const { events } = await source.readEvents(session, head, PAGE_ENTRIES, PAGE_BYTES);
    const { raws } = await source.readRaws(session, rawHead, PAGE_ENTRIES, PAGE_BYTES);
    head = events.at(-1)?.seq ?? head;
    rawHead = raws.at(-1)?.rawSeq ?? rawHead;
    const base = { ...bare(session, { ...row, head, rawHead }), events, raws };
    const texts = search.read(events);
    await target.append([{ ...base, searchText: texts.shift() }]);
    for (const searchText of texts) await target.append([{ ...base, events: [], raws: [], searchText }]);
  } while (head < row.head || rawHead < row.rawHead);
  const asks = await source.allAsks(session);
  const usage = await usageOf(source, session);
  await target.append([{ ...bare(session, row), asks, usage, snapshot, seal: true }]);
  for await (const piece of source.readMemory(session))
    await target.append([{ ...bare(session, row), memory: [piece] }]);
  return row.head;
}

async function usageOf(source: CopySource, session: string): Promise<UsageIncrement[]> {
  const found: UsageIncrement[] = [];
  let cursor: string | undefined;
  do {
    const page = await source.usage({ session, limit: PAGE_ENTRIES, cursor });
    found.push(...page.rows);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return found;
}

type Run = SessionAppend & { messages: MessageRow[]; texts: SearchText[]; keys: ClientKey[] };

/**
 * What has a place among its like of all sessions is written in that order. A batch has each session once, so it ends
 * where one comes again.
 */
async function copyRuns<Item extends Numbered>(
  source: CopySource,
  target: CopyTarget,
  items: AsyncIterable<Item>,
  add: (run: Run, item: Item) => void,
): Promise<void> {
  const runs = new Map<string, Run>();
  let last: string | undefined;
  let count = 0;
  const flush = async () => {
    if (runs.size > 0) await target.append([...runs.values()]);
    runs.clear();
    count = 0;
  };
  for await (const item of items) {
    if (count >= PAGE_ENTRIES || (runs.has(item.session) && last !== item.session)) await flush();
    let run = runs.get(item.session);
    if (!run) {
      const row = await source.getSession(item.session);
      run = { ...bare(item.session, row!), messages: [], texts: [], keys: [] };
      runs.set(item.session, run);
    }
    add(run, item);
    last = item.session;
    count += 1;
  }
  await flush();
}

function addMessage(run: Run, { row, text }: { row: MessageRow; text?: Omit<SearchText, "message"> }): void {
  run.messages.push(row);
  if (text) run.texts.push({ message: row.id, ...text });
}

function addKey(run: Run, { key }: { key: ClientKey }): void {
  run.keys.push(key);
}

/** So that each session is found by the node that has its files, when that joins the copy. */
async function copyHomes(source: CopySource, target: CopyTarget): Promise<void> {
  let homes: (Numbered & SessionHome)[] | undefined;
  do {
    homes = await source.homesAfter?.(homes?.at(-1)?.number ?? 0, PAGE_ENTRIES);
    if (homes) await target.importHomes?.(homes);
  } while (homes && homes.length > 0);
}

async function copyPeople(source: CopySource, target: CopyTarget): Promise<void> {
  for (const row of await source.listTokens()) await target.addToken(row);
  for (const row of await source.listInvitations()) await target.addInvitation(row);
  // It is read from its end, and written from its beginning.
  const entries: AuditRow[] = [];
  let before: number | undefined;
  do {
    const page = await source.readAudit({ limit: 10 * PAGE_ENTRIES, before });
    entries.push(...page.entries);
    before = page.before;
  } while (before !== undefined);
  entries.reverse();
  for (let start = 0; start < entries.length; start += PAGE_ENTRIES)
    await target.importAudit(entries.slice(start, start + PAGE_ENTRIES));
}

function bare(session: string, row: SessionRow): SessionAppend {
  return { session, row, events: [], raws: [], messages: [], asks: [], usage: [] };
}

async function* pages<Item extends { number: number }>(
  read: (after: number) => Promise<Item[]>,
): AsyncGenerator<Item> {
  for (let after = 0; ; ) {
    const items = await read(after);
    yield* items;
    const last = items.at(-1);
    if (!last) return;
    after = last.number;
  }
}
