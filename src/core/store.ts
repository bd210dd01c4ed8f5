/**
 * The port to storage. Every implementation passes one contract suite (src/store/store-contract.ts). No type of a
 * database leaves its folder. All methods may be called concurrently.
 */
import type { EncodedEvent } from "./encoded-event.ts";
import type { ForkedFrom } from "./fork-fields.ts";
import type { MemoryPiece } from "./memory-piece.ts";
import type { MessageRecord } from "./message-record.ts";
import type { Claim } from "./ownership.ts";
import type { PeopleStore } from "./people-store.ts";
import type { RawRecord } from "./raw-record.ts";
import type { SessionStatus } from "./session-status.ts";
import type { TokenUsage } from "./usage.ts";

/** What lists show of a session; a projection of its log, written in the same transaction as the events. */
export interface SessionRow {
  id: string;
  agent: string;
  cwd: string;
  title?: string;
  status: SessionStatus;
  model?: string;
  mode?: string;
  permissionMode?: string;
  metadata?: Record<string, unknown>;
  agentSessionId?: string;
  createdAt: number;
  updatedAt: number;
  /** The seq of the newest event. */
  head: number;
  rawHead: number;
  openAsks: number;
  queued: number;
  /** Whether an agent was running when this was written. */
  attached: boolean;
  /** The creation request in canonical form, to tell a repeated one from a different one. */
  request: string;
  forkedFrom?: ForkedFrom;
  /** Kept on top of lists. Absent when it is not. */
  pinned?: true;
  /** Left out of lists unless they ask for it. Absent when it is not. */
  archived?: true;
  /** What its own turns cost so far, in dollars. Absent while nothing is known to have cost anything. */
  cost?: number;
  /** When a restart of the daemon ended its last turn. Absent once another one began. */
  cutOffAt?: number;
  /** The name of the node that has it now. Absent where nobody has, and without a cluster. Not written: it is the claim's. */
  node?: string;
  /** The number of that node: two nodes may have one name. */
  nodeNumber?: number;
}

/** The prompt that a daemon prepares for its agent. A daemon that finds it in the store knows how the one before ended. */
export interface PromptPreparation {
  message: string;
  /** The id of the daemon, and of its run. */
  daemon: string;
  run: string;
  /** How many daemons in a row died while they prepared this prompt, before that run. */
  deaths: number;
}

/** One message, or one prompt still waiting to become a message. */
export interface MessageRow {
  id: string;
  role: "user" | "assistant" | "system";
  /** `queued` and `withdrawn` prompts are not part of the history. */
  state: "queued" | "withdrawn" | "streaming" | "done";
  /** For prompts: the seq of `prompt.accepted`. For others: of their first event. */
  firstSeq: number;
  /** The seq of the last event that belongs to it; grows until it is done. */
  lastSeq: number;
  /** Place in the history; undefined while queued. */
  position?: number;
  turn?: string;
  /** Set when the conversation was rewound past it: it is no longer part of the history. */
  rewoundAt?: number;
  /** The record as folded; absent while streaming and when it was too large to keep (then it is folded from the log). */
  record?: MessageRecord;
  foldVersion?: number;
  /** For prompts of older daemons: what a repeated request is compared with, and its answer. */
  request?: string;
  response?: string;
}

/** One ask, open or not. */
export interface AskRow {
  ask: string;
  kind: string;
  state: "open" | "answered" | "closed";
  openedSeq: number;
  openedAt: number;
  expiresAt?: number;
  /** The `ask.opened` event, with what became known of the ask since. */
  opened: string;
  /** The `ask.answered` event, once there is one. */
  answered?: string;
  outcome?: string;
}

/** An open ask and its session. */
export type OpenAskRow = AskRow & { session: string };

/** What a batch adds to the usage totals of its session, agent, day (UTC, `2026-01-31`) and model. */
export interface UsageIncrement {
  day: string;
  /** Absent while it is not known. */
  model?: string;
  usage: TokenUsage;
  cost: number;
  turns: number;
  durationMs: number;
  /** Of that time: how long an answer of a person was awaited. */
  waitedMs: number;
  tools: number;
  asks: number;
  /** Of the asks: what a person allowed, once or always, and what was rejected. */
  allowed: number;
  denied: number;
}

/**
 * Everything one session contributes to one commit. Rows of messages and asks replace the former row of the same id
 * as a whole. Of a session's row the agent, the directory, the time of creation, the request and the session it was copied
 * from never change.
 * The rows must not be changed until the append has resolved.
 */
export interface SessionAppend {
  session: string;
  /** What it is written under. Absent where one daemon owns everything. */
  claim?: Claim;
  /** Consecutive, beginning at the stored head + 1. May be empty when there are only raw records. */
  events: readonly EncodedEvent[];
  /** Consecutive, beginning at the stored rawHead + 1. */
  raws: readonly RawRecord[];
  row: SessionRow;
  /** Which prompt is being prepared as of the last event. Absent while none is: then none is stored. */
  preparing?: PromptPreparation;
  messages: readonly MessageRow[];
  asks: readonly AskRow[];
  usage: readonly UsageIncrement[];
  /** The runtime state as of the last event, so that opening a session reads only what came after. */
  snapshot?: { seq: number; json: string };
  /** Finished messages that got late content: their `lastSeq` becomes `seq` and their record is out of date. */
  amended?: readonly { message: string; seq: number }[];
  /** The conversation was rewound: this message and everything after it in the history leave it, as of `seq`. */
  rewound?: readonly { before: string; seq: number }[];
  /** Keys by which client protocols find the session, and the event in it. */
  keys?: readonly ClientKey[];
  /** Text to add to the search index of sessions. */
  searchText?: string;
  /** What messages say, for the search in messages. A text replaces the former one of its message. */
  texts?: readonly SearchText[];
  /** What is kept beside the log, such as the conversation files of the agent. In the order of each part. */
  memory?: readonly MemoryPiece[];
  /** Pack everything up to here once it is committed: a turn has ended or the tail is long. */
  seal?: boolean;
}

/** What became of a batch. */
export interface AppendResult {
  /** Sessions of which nothing was written, because the claim they were written under does not hold any more. */
  refused: readonly string[];
  /** Sessions of which nothing was written, because the store has gone back. Absent where there are none. */
  cutShort?: readonly CutShort[];
}

/** A log that ends before what was acknowledged, as after a failover to a standby that was behind. */
export interface CutShort {
  session: string;
  /** The last event that was acknowledged. */
  acknowledged: number;
  /** Where the log ends now. */
  head: number;
}

/** What one message says, or its beginning. The message has a row, from this append or a former one. */
export interface SearchText {
  message: string;
  /** When it was said. */
  at: number;
  text: string;
}

/** A name that a client protocol has for an event: an id of its own, or the key of a conversation. */
export interface ClientKey {
  dialect: string;
  key: string;
  seq: number;
}

/** Consecutive events of one session. */
export interface EventPage {
  events: EncodedEvent[];
  /** The session's head when the page was read. */
  head: number;
}

/** The sessions that a list may have: of both, where both are given. An empty list has none. */
export interface OnlyThese {
  sessions?: readonly string[];
  agents?: readonly string[];
}

/** Which sessions to list. */
export interface ListQuery {
  limit: number;
  /** A page ends here even with fewer entries, but has at least one if there is any. */
  maxBytes?: number;
  /** Opaque, from a former page. */
  cursor?: string;
  agent?: string;
  status?: SessionStatus;
  /** The directory, exactly as the session has it. */
  cwd?: string;
  /** Those that work in this directory or below it, by their paths. No slash at the end, unless it is the root. */
  inside?: string;
  /** Words to look for in id, title and prompts. */
  search?: string;
  /** Only those that are, or are not. All when absent. */
  archived?: boolean;
  pinned?: boolean;
  only?: OnlyThese;
}

/** Which messages to look for. */
export interface SearchQuery {
  /** All of its words, the last one also as the beginning of a longer one. */
  words: string;
  limit: number;
  /** Opaque, from a former page. */
  cursor?: string;
  session?: string;
  /** Only in sessions that are archived, or are not. In all when absent. */
  archived?: boolean;
  only?: OnlyThese;
}

/** A piece of a text, marked where it is one of the words. */
export interface SnippetPiece {
  text: string;
  match?: true;
}

/** A message with the words, and its session. */
export interface SearchHit {
  session: SessionRow;
  message: string;
  role: MessageRow["role"];
  at: number;
  snippet: SnippetPiece[];
}

/** Messages with the words. */
export interface SearchPage {
  hits: SearchHit[];
  /** There may be more, also where this page has fewer than asked for. */
  cursor?: string;
  /** Not all older messages can be found yet: they are being added. */
  isIncomplete?: true;
}

/** Which open asks to list. */
export interface AskQuery {
  session?: string;
  only?: OnlyThese;
  /** A page ends here, but has at least one entry if there is any. */
  maxBytes?: number;
  /** Opaque, from a former page. */
  cursor?: string;
}

/** Which usage to list. */
export interface UsageQuery {
  session?: string;
  agent?: string;
  /** The first day and the last. */
  from?: string;
  to?: string;
  only?: OnlyThese;
  limit: number;
  /** Opaque, from a former page. */
  cursor?: string;
}

/** Which messages to list. */
export interface MessageQuery {
  limit: number;
  before?: string;
  maxBytes?: number;
  /** Rows without records, to know only which messages there are. */
  withoutRecords?: boolean;
}

/** The usage of one session on one day with one model. */
export interface UsageRow extends UsageIncrement {
  session: string;
  agent: string;
  /** Where the session works. */
  directory: string;
}

/** What a session is opened with. */
export interface StoredState {
  row: SessionRow;
  /** Of the last append. */
  preparing?: PromptPreparation;
  snapshot?: { seq: number; json: string };
}

/** What a check of everything found. */
export interface IntegrityReport {
  ok: boolean;
  sessions: number;
  events: number;
  problems: string[];
}

/** What was found unreadable since the store was opened. */
export interface StoreHealth {
  /** Why the data all sessions share cannot be read, and what to do. Undefined while it can be read. */
  problem?: string;
  /** Their ids, until they are deleted. */
  damagedSessions: string[];
}

/**
 * A read throws `session_damaged` if the session's data cannot be read or is not what was written, and
 * `database_damaged` if that holds for the data all sessions share. Lists over sessions leave out what is damaged.
 */
export interface Store extends PeopleStore {
  /**
   * Takes effect whole or not at all, less what is refused, and is on disk when it resolves. A session unknown so far is
   * created. Only appends with a claim can be refused; if the outcome of one is unknown, it may be given again.
   */
  append(batch: readonly SessionAppend[]): Promise<AppendResult>;
  /** Undefined when the session is unknown. */
  loadState(session: string): Promise<StoredState | undefined>;
  getSession(session: string): Promise<SessionRow | undefined>;
  listSessions(query: ListQuery): Promise<{ sessions: SessionRow[]; cursor?: string }>;
  /** Sessions a dead daemon left with an open turn, queued prompts, open asks or an agent. */
  unfinishedSessions(): Promise<string[]>;
  /**
   * Up to `limit` events after `after`, fewer when `maxBytes` is reached (never none when there are some).
   * An unknown session gives no events and head 0.
   */
  readEvents(session: string, after: number, limit: number, maxBytes?: number): Promise<EventPage>;
  readRaws(
    session: string,
    after: number,
    limit: number,
    maxBytes?: number,
  ): Promise<{ raws: RawRecord[]; head: number }>;
  /**
   * The history in order, rewound and waiting messages left out. `before` is the id of a message: one that still waits
   * comes after the whole history, an unknown one gives an empty page. A page has fewer messages than `limit`, the newest
   * ones, when their records are more than `maxBytes` of JSON (never none when there are some).
   */
  listMessages(session: string, query: MessageQuery): Promise<{ messages: MessageRow[]; hasMore: boolean }>;
  /** Any message or prompt the session has ever had. */
  getMessage(session: string, message: string): Promise<MessageRow | undefined>;
  getAsk(session: string, ask: string): Promise<AskRow | undefined>;
  /** Oldest first, over all sessions or one. */
  openAsks(query?: AskQuery): Promise<{ asks: OpenAskRow[]; cursor?: string }>;
  /** Where a dialect last used this key. Undefined if it is unknown or its session was deleted. */
  findKey(dialect: string, key: string): Promise<{ session: string; seq: number } | undefined>;
  /** Moves a key to this session, where no commit gives it. On disk when it resolves. Nothing for an unknown session. */
  moveKey(session: string, key: ClientKey): Promise<void>;
  /** The messages of the history that have the words, the last stored first. */
  searchMessages(query: SearchQuery): Promise<SearchPage>;
  /**
   * The pieces of all parts, or of one and those below it (`isBelow`), each part in its order. All are as they were at one
   * moment, between two appends, whatever is replaced while they are taken. None for an unknown session.
   */
  readMemory(session: string, part?: string): AsyncIterable<MemoryPiece>;
  /** In no particular order. */
  usage(query: UsageQuery): Promise<{ rows: UsageRow[]; cursor?: string }>;
  /**
   * Removes the session and all its data, with invitations to it and the tokens they gave. True if it existed. Throws
   * `session_moved` where the claim does not hold any more.
   */
  deleteSession(session: string, claim?: Claim): Promise<boolean>;
  health(): StoreHealth;
  /** Reads everything once. */
  check(): Promise<IntegrityReport>;
  /** Waits for packing in the background. Idempotent. */
  close(): Promise<void>;
}
