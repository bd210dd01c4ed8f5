/** The store in memory (`--data :memory:`). */
import type { EncodedEvent } from "../../core/encoded-event.ts";
import type { MemoryPiece } from "../../core/memory-piece.ts";
import { MESSAGE_FOLD_VERSION } from "../../core/message-record.ts";
import type { RawRecord } from "../../core/raw-record.ts";
import type {
  AppendResult,
  AskQuery,
  AskRow,
  ClientKey,
  EventPage,
  IntegrityReport,
  ListQuery,
  MessageQuery,
  MessageRow,
  OpenAskRow,
  SearchPage,
  SearchQuery,
  SessionAppend,
  SessionRow,
  Store,
  StoredState,
  StoreHealth,
  UsageQuery,
  UsageRow,
} from "../../core/store.ts";
import { checkAppend } from "../check-append.ts";
import { isAmong } from "../is-among.ts";
import {
  type AskPosition,
  decodeAskCursor,
  decodeListCursor,
  decodeSearchCursor,
  decodeUsageCursor,
  encodeAskCursor,
  encodeListCursor,
  encodeSearchCursor,
  encodeUsageCursor,
  FIRST_ASK,
} from "../list-cursor.ts";
import { PageBudget } from "../page.ts";
import { MAX_WORDS, searchWords } from "../search-words.ts";
import { MemoryPeople } from "./memory-people.ts";
import { MemoryPieces } from "./memory-pieces.ts";
import { isSearched, MemoryTexts } from "./memory-texts.ts";
import { addIncrement } from "./usage-total.ts";

interface MemorySession {
  /** Counts sessions in the order they were first seen; breaks ties in the list. */
  ordinal: number;
  row: SessionRow;
  preparing?: StoredState["preparing"];
  snapshot?: StoredState["snapshot"];
  events: EncodedEvent[];
  raws: RawRecord[];
  messages: Map<string, MessageRow>;
  asks: Map<string, AskRow>;
  /** Counts asks in the order they were first seen. */
  askOrdinals: Map<string, number>;
  /** By day and model. */
  usage: Map<string, UsageRow>;
  promptWords: string[];
  texts: MemoryTexts;
  memory: MemoryPieces;
}

const EMPTY = { head: 0, rawHead: 0 };

export class MemoryStore extends MemoryPeople implements Store {
  readonly #sessions = new Map<string, MemorySession>();
  /** Where each key of a dialect was given, the newest last. */
  readonly #keys = new Map<string, { session: string; created: MemorySession; seq: number }[]>();
  #created = 0;
  #asksSeen = 0;
  #messagesSeen = 0;
  #closed = false;

  async append(batch: readonly SessionAppend[]): Promise<AppendResult> {
    if (this.#closed) throw new Error("The store is closed.");
    this.#check(batch);
    for (const append of batch) this.#apply(structuredClone(append));
    return { refused: [] };
  }

  /** A session may appear in a batch more than once; each entry continues the one before. */
  #check(batch: readonly SessionAppend[]): void {
    const heads = new Map<string, { head: number; rawHead: number }>();
    for (const append of batch) {
      checkAppend(append, heads.get(append.session) ?? this.#sessions.get(append.session)?.row ?? EMPTY);
      heads.set(append.session, append.row);
    }
  }

  #apply(append: SessionAppend): void {
    const session = this.#sessions.get(append.session) ?? this.#create(append);
    session.row = append.row;
    session.preparing = append.preparing;
    // One at a time: spreading a long array into `push` overflows the stack.
    for (const { seq, json } of append.events) session.events.push({ seq, json });
    for (const raw of append.raws) session.raws.push(raw);
    for (const message of append.messages) {
      session.messages.set(message.id, message);
      session.texts.note(message.id, () => ++this.#messagesSeen);
    }
    for (const text of append.texts ?? []) session.texts.set(text);
    for (const rewound of append.rewound ?? []) rewindMessages(session, rewound);
    for (const { message, seq } of append.amended ?? []) {
      const row = session.messages.get(message);
      if (row)
        session.messages.set(message, { ...row, lastSeq: seq, record: undefined, foldVersion: undefined });
    }
    for (const ask of append.asks) {
      if (!session.askOrdinals.has(ask.ask)) session.askOrdinals.set(ask.ask, ++this.#asksSeen);
      session.asks.set(ask.ask, ask);
    }
    for (const { dialect, key, seq } of append.keys ?? []) {
      const name = `${dialect}\n${key}`;
      const others = (this.#keys.get(name) ?? []).filter((place) => this.#sessions.has(place.session));
      this.#keys.set(name, [...others, { session: session.row.id, created: session, seq }]);
    }
    for (const increment of append.usage) {
      const { id, agent, cwd: directory } = session.row;
      const { day, model } = increment;
      const place = `${day} ${model ?? ""}`;
      const total = session.usage.get(place) ?? { session: id, agent, directory, day, model };
      session.usage.set(place, addIncrement(total, increment));
    }
    for (const piece of append.memory ?? []) session.memory.add(piece);
    if (append.snapshot) session.snapshot = append.snapshot;
    if (append.searchText) session.promptWords.push(...searchWords(append.searchText));
  }

  #create(append: SessionAppend): MemorySession {
    this.#created += 1;
    const session: MemorySession = {
      ordinal: this.#created,
      row: append.row,
      events: [],
      raws: [],
      messages: new Map(),
      asks: new Map(),
      askOrdinals: new Map(),
      usage: new Map(),
      promptWords: [],
      texts: new MemoryTexts(),
      memory: new MemoryPieces(),
    };
    this.#sessions.set(append.session, session);
    return session;
  }

  async loadState(id: string): Promise<StoredState | undefined> {
    const session = this.#sessions.get(id);
    if (!session) return undefined;
    const { row, preparing, snapshot } = session;
    return structuredClone({ row, snapshot, ...(preparing && { preparing }) });
  }

  async getSession(id: string): Promise<SessionRow | undefined> {
    return structuredClone(this.#sessions.get(id)?.row);
  }

  async listSessions(query: ListQuery): Promise<{ sessions: SessionRow[]; cursor?: string }> {
    const after = query.cursor === undefined ? undefined : decodeListCursor(query.cursor);
    const found = [...this.#sessions.values()]
      .map((session) => ({ session, updatedAt: session.row.updatedAt, ordinal: session.ordinal }))
      .filter(({ session }) => matches(session, query))
      .filter((place) => !after || comparePlaces(after, place) < 0)
      .sort(comparePlaces);
    const budget = new PageBudget(query.limit, query.maxBytes);
    const end = found.findIndex(({ session }) => !budget.takeText(JSON.stringify(session.row)));
    const shown = end < 0 ? found : found.slice(0, end);
    const last = shown.at(-1);
    return {
      sessions: shown.map(({ session }) => structuredClone(session.row)),
      cursor: last && found.length > shown.length ? encodeListCursor(last) : undefined,
    };
  }

  async unfinishedSessions(): Promise<string[]> {
    return [...this.#sessions.values()].filter(({ row }) => isUnfinished(row)).map(({ row }) => row.id);
  }

  async readEvents(id: string, after: number, limit: number, maxBytes?: number): Promise<EventPage> {
    const events = this.#sessions.get(id)?.events ?? [];
    const page = takePage(events, after, new PageBudget(limit, maxBytes), (event) => event.json);
    return { events: page.map((event) => ({ ...event })), head: events.length };
  }

  async readRaws(id: string, after: number, limit: number, maxBytes?: number) {
    const raws = this.#sessions.get(id)?.raws ?? [];
    const page = takePage(raws, after, new PageBudget(limit, maxBytes), (raw) => JSON.stringify(raw));
    return { raws: structuredClone(page), head: raws.length };
  }

  async listMessages(id: string, query: MessageQuery) {
    const messages = this.#sessions.get(id)?.messages ?? new Map<string, MessageRow>();
    const before = query.before === undefined ? undefined : messages.get(query.before);
    if (query.before !== undefined && !before) return { messages: [], hasMore: false };
    // A prompt that waits comes after the whole history.
    const end = before?.position ?? Number.POSITIVE_INFINITY;
    const history = [...messages.values()]
      .filter((message) => inHistory(message) && message.position < end)
      .sort((a, b) => (a.position ?? 0) - (b.position ?? 0));
    const { withoutRecords } = query;
    const budget = new PageBudget(query.limit, query.maxBytes);
    const last = history.findLastIndex(
      ({ record }) => !budget.takeText(withoutRecords || !record ? "" : JSON.stringify(record)),
    );
    const shown = history.slice(last + 1).map(readMessage);
    return {
      messages: withoutRecords ? shown.map(({ record: _, ...row }) => row) : shown,
      hasMore: last >= 0,
    };
  }

  async getMessage(id: string, message: string): Promise<MessageRow | undefined> {
    const row = this.#sessions.get(id)?.messages.get(message);
    return row && readMessage(row);
  }

  async getAsk(id: string, ask: string): Promise<AskRow | undefined> {
    return structuredClone(this.#sessions.get(id)?.asks.get(ask));
  }

  async findKey(dialect: string, key: string): Promise<{ session: string; seq: number } | undefined> {
    const places = this.#keys.get(`${dialect}\n${key}`) ?? [];
    // A session deleted and created again under its id is a different one.
    const place = places.findLast(({ session, created }) => this.#sessions.get(session) === created);
    return place && { session: place.session, seq: place.seq };
  }

  async moveKey(id: string, { dialect, key, seq }: ClientKey): Promise<void> {
    const session = this.#sessions.get(id);
    if (session) this.#keys.set(`${dialect}\n${key}`, [{ session: id, created: session, seq }]);
  }

  async openAsks({ session, only, maxBytes, cursor }: AskQuery = {}): Promise<{
    asks: OpenAskRow[];
    cursor?: string;
  }> {
    const after = cursor === undefined ? FIRST_ASK : decodeAskCursor(cursor);
    const open = [...this.#sessions.values()]
      .filter(({ row }) => (session ?? row.id) === row.id && isAmong(only, row))
      .flatMap(({ row, asks, askOrdinals }) =>
        [...asks.values()].map((ask) => ({
          ask: { ...ask, session: row.id },
          openedAt: ask.openedAt,
          ordinal: askOrdinals.get(ask.ask)!,
        })),
      )
      .filter((entry) => entry.ask.state === "open" && compareAsks(entry, after) > 0)
      .sort(compareAsks);
    const budget = new PageBudget(Number.POSITIVE_INFINITY, maxBytes);
    const end = open.findIndex(({ ask }) => !budget.takeText(ask.opened));
    const page = end < 0 ? open : open.slice(0, end);
    return {
      asks: structuredClone(page.map(({ ask }) => ask)),
      cursor: end < 0 ? undefined : encodeAskCursor(page.at(-1)!),
    };
  }

  async searchMessages(query: SearchQuery): Promise<SearchPage> {
    const words = searchWords(query.words).slice(0, MAX_WORDS);
    const before = query.cursor === undefined ? Number.POSITIVE_INFINITY : decodeSearchCursor(query.cursor);
    if (words.length === 0) return { hits: [] };
    const found = [...this.#sessions.values()]
      .filter(({ row }) => isSearched(row, query) && isAmong(query.only, row))
      .flatMap(({ row, messages, texts }) => texts.find(row, messages, inHistory, words))
      .filter(({ ordinal }) => ordinal < before)
      .sort((a, b) => b.ordinal - a.ordinal);
    const shown = found.slice(0, query.limit);
    return {
      hits: structuredClone(shown.map(({ hit }) => hit)),
      ...(found.length > shown.length && { cursor: encodeSearchCursor(shown.at(-1)!.ordinal) }),
    };
  }

  async *readMemory(id: string, part?: string): AsyncGenerator<MemoryPiece> {
    yield* this.#sessions.get(id)?.memory.list(part) ?? [];
  }

  async usage(query: UsageQuery): Promise<{ rows: UsageRow[]; cursor?: string }> {
    const { session, agent, only, from = "", to = "9999", limit, cursor } = query;
    const after = cursor === undefined ? { ordinal: -1, day: "", model: "" } : decodeUsageCursor(cursor);
    const rows: UsageRow[] = [];
    // Sorted by their ordinals.
    for (const { row, ordinal, usage } of this.#sessions.values()) {
      const isWanted = (session ?? row.id) === row.id && (agent ?? row.agent) === row.agent;
      if (!isWanted || !isAmong(only, row) || ordinal < after.ordinal) continue;
      const first = ordinal === after.ordinal ? `${after.day} ${after.model}` : "";
      for (const place of [...usage.keys()].sort()) {
        const used = usage.get(place)!;
        const { day, model = "" } = used;
        if (place <= first || day < from || day > to) continue;
        rows.push(structuredClone(used));
        if (rows.length === limit) return { rows, cursor: encodeUsageCursor({ ordinal, day, model }) };
      }
    }
    return { rows };
  }

  async deleteSession(id: string): Promise<boolean> {
    this.removeInvitationsOf(id);
    return this.#sessions.delete(id);
  }

  /** There is no disk that could fail. */
  health(): StoreHealth {
    return { damagedSessions: [] };
  }

  async check(): Promise<IntegrityReport> {
    const events = [...this.#sessions.values()].reduce((sum, session) => sum + session.events.length, 0);
    return { ok: true, sessions: this.#sessions.size, events, problems: [] };
  }

  async close(): Promise<void> {
    this.#closed = true;
  }
}

/** A turn is open, a prompt waits, a person is asked or an agent was running. The databases have the same rule as an index. */
function isUnfinished(row: SessionRow): boolean {
  const isOpen = ["running", "waiting", "recovering"].includes(row.status);
  return isOpen || row.queued > 0 || row.openAsks > 0 || row.attached;
}

function compareAsks(a: AskPosition, b: AskPosition): number {
  return a.openedAt - b.openedAt || a.ordinal - b.ordinal;
}

/** The entries that follow number `after`, where the first is number 1. */
function takePage<Entry>(
  entries: readonly Entry[],
  after: number,
  budget: PageBudget,
  textOf: (entry: Entry) => string,
): Entry[] {
  let end = after;
  while (end < entries.length && budget.takeText(textOf(entries[end] as Entry))) end += 1;
  return entries.slice(after, end);
}

/** A message that entered the history after the rewinding, in the same batch, stays in it. */
function rewindMessages(session: MemorySession, rewound: { before: string; seq: number }): void {
  const start = session.messages.get(rewound.before)?.position;
  if (start === undefined) return;
  for (const message of session.messages.values()) {
    if (!inHistory(message) || message.position < start || message.position > rewound.seq) continue;
    message.rewoundAt = rewound.seq;
  }
}

function matches(session: MemorySession, query: ListQuery): boolean {
  const { row } = session;
  if (!isAmong(query.only, row)) return false;
  if (query.agent !== undefined && row.agent !== query.agent) return false;
  if (query.status !== undefined && row.status !== query.status) return false;
  if (query.cwd !== undefined && row.cwd !== query.cwd) return false;
  if (query.archived !== undefined && query.archived !== (row.archived ?? false)) return false;
  if (query.pinned !== undefined && query.pinned !== (row.pinned ?? false)) return false;
  const { inside } = query;
  if (inside !== undefined && row.cwd !== inside && !row.cwd.startsWith(inside.replace(/\/?$/, "/")))
    return false;
  const search = query.search?.trim();
  if (!search || row.id.startsWith(search)) return true;
  const wanted = searchWords(search);
  const words = [...searchWords(`${row.id} ${row.title ?? ""}`), ...session.promptWords];
  return wanted.length > 0 && wanted.every((prefix) => words.some((word) => word.startsWith(prefix)));
}

/** Newest change first. */
function comparePlaces(
  a: { updatedAt: number; ordinal: number },
  b: { updatedAt: number; ordinal: number },
): number {
  return b.updatedAt - a.updatedAt || b.ordinal - a.ordinal;
}

function inHistory(message: MessageRow): message is MessageRow & { position: number } {
  const shown = message.state === "streaming" || message.state === "done";
  return shown && message.position !== undefined && message.rewoundAt === undefined;
}

/** A record of another fold version is left out, so that the caller folds it again. */
function readMessage(message: MessageRow): MessageRow {
  const { record, ...rest } = message;
  return structuredClone(message.foldVersion === MESSAGE_FOLD_VERSION ? { ...rest, record } : rest);
}
