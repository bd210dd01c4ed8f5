/**
 * The writing end of one session's log: runs the machine, encodes each event once, and hands events, raw records
 * and projections to the group commit. Nothing leaves here before it is committed.
 */

import { type EncodedEvent, eventOf } from "../../core/encoded-event.ts";
import { InterlinguaError } from "../../core/error.ts";
import { errorText } from "../../core/error-text.ts";
import type { EventType, SessionEvent } from "../../core/event.ts";
import { EventEncoder } from "../../core/event-encoder.ts";
import { isCutOff } from "../../core/is-cut-off.ts";
import type { MemoryPiece } from "../../core/memory-piece.ts";
import { type Claim, FULL_ACCESS, type SessionAccess } from "../../core/ownership.ts";
import type { RawDraft, RawRecord } from "../../core/raw-record.ts";
import type { SessionMachine } from "../../core/session-machine.ts";
import { type OpenTurn, queuedBytes, type SessionState, serializeState } from "../../core/session-state.ts";
import { sessionStatus } from "../../core/session-status.ts";
import { type SessionSummary, summarizeSession } from "../../core/session-summary.ts";
import type { ClientKey, PromptPreparation, SessionAppend, SessionRow } from "../../core/store.ts";
import { addCost } from "../../core/usage.ts";
import type { CommitSource } from "../commits/group-commit.ts";
import type { Services } from "../engine-services.ts";
import { continueTurn } from "../prompts/continue-turn.ts";
import type { PromptContents } from "../prompts/prompt-contents.ts";
import type { Projector } from "./projector.ts";
import { type Ending, EndingFinder } from "./turn-endings.ts";

/** A snapshot and a seal at least this often, so that opening a session never reads more than this. */
const EVENTS_PER_SEAL = 1000;

/** Agents say these while they work, and nobody waits for them. */
const STREAMED: ReadonlySet<EventType> = new Set<EventType>([
  "step.started",
  "step.ended",
  "text.start",
  "text.delta",
  "text.end",
  "reasoning.start",
  "reasoning.delta",
  "reasoning.end",
  "tool.start",
  "tool.updated",
  "tool.input.delta",
  "tool.input",
  "tool.output.delta",
  "tool.progress",
  "tool.output",
  "usage",
]);

/** Stores count whole nano-units. */
const MAX_COST = Number.MAX_SAFE_INTEGER / 1e9;

interface Waiter {
  seq: number;
  resolve(): void;
  reject(error: unknown): void;
}

/** How the daemon that ran an agent was lost. */
export interface Loss {
  /** The code with which its turn ends. */
  code: string;
  /** A reason not to continue the turn here. */
  preventedBy?: string;
}

export interface SessionLogOptions {
  machine: SessionMachine;
  projector: Projector;
  contents: PromptContents;
  services: Services;
  /** The creation request in canonical form. */
  request: string;
  rawHead: number;
  /** What its turns cost before. */
  cost?: number;
  /** What it is written under; absent where one daemon owns everything. */
  claim?: Claim;
  /** Full where absent. */
  access?: SessionAccess;
  /** As stored. */
  preparing?: PromptPreparation;
}

export class SessionLog implements CommitSource {
  readonly machine: SessionMachine;
  readonly projector: Projector;
  /** What the waiting prompts say. */
  readonly contents: PromptContents;
  readonly #services: Services;
  /** The creation request in canonical form. */
  readonly request: string;
  /** Called when the store refused this log's data: its state in memory can no longer be trusted. */
  onLost: ((error: unknown) => void) | undefined;
  /** What it is written under. Given before the first commit. */
  claim: Claim | undefined;
  /** What this node may do in the session. */
  readonly access: SessionAccess;
  /** Tells which prompt is being prepared. Until it is given, what is stored stays. */
  preparing: () => PromptPreparation | undefined = () => this.storedPreparing;
  /** As it was last collected for the store, or found there. */
  storedPreparing: PromptPreparation | undefined;
  readonly #encoder = new EventEncoder();
  #rawHead: number;
  #cost: number | undefined;
  #committed: number;
  #events: EncodedEvent[] = [];
  /** Whether somebody may wait for one of them. */
  #isAwaited = false;
  #raws: RawRecord[] = [];
  #keys: ClientKey[] = [];
  #memory: MemoryPiece[] = [];
  readonly #endingFinder: EndingFinder;
  /** Reported once they are committed. */
  #endings: Ending[] = [];
  /** Whether what was collected is on its way to the store. There is one append at a time. */
  #isUnderWay = false;
  /** Of copies that wait for the next `act`. */
  #copiedBytes = 0;
  #sinceSeal = 0;
  #seal = false;
  /** This session's share of the waiting prompts of all sessions. */
  #waitingBytes = 0;
  #waiters: Waiter[] = [];
  /** Of the next turn that ends, where somebody waits for that. */
  #turnEnd: PromiseWithResolvers<void> | undefined;
  /** Why nothing more is written, once that is so. */
  #end: unknown;

  constructor(options: SessionLogOptions) {
    this.machine = options.machine;
    this.projector = options.projector;
    this.contents = options.contents;
    this.#services = options.services;
    this.request = options.request;
    this.#rawHead = options.rawHead;
    this.#cost = options.cost;
    this.claim = options.claim;
    this.access = options.access ?? FULL_ACCESS;
    this.storedPreparing = options.preparing;
    this.#committed = options.machine.state.head;
    this.#endingFinder = new EndingFinder(this.state);
    this.#countWaiting();
  }

  get state(): SessionState {
    return this.machine.state;
  }

  /** The seq of the newest event on disk. */
  get committedHead(): number {
    return this.#committed;
  }

  /** Whether everything is on disk, also what stands beside the events. */
  get isCommitted(): boolean {
    return this.#isCollected && !this.#isUnderWay && this.#committed >= this.state.head;
  }

  get #isCollected(): boolean {
    return this.#hasNothingToWrite && !this.#isPreparingStale;
  }

  get #isPreparingStale(): boolean {
    const [stored, now] = [this.storedPreparing, this.preparing()];
    return stored?.message !== now?.message || stored?.run !== now?.run || stored?.deaths !== now?.deaths;
  }

  get #hasNothingToWrite(): boolean {
    return this.#events.length === 0 && this.#raws.length === 0 && this.#memory.length === 0;
  }

  /** Numbers a raw record; it is committed with the events made from it. */
  record(raw: RawDraft, generation: number): number {
    this.#rawHead += 1;
    const { direction, data } = raw;
    this.#raws.push({ rawSeq: this.#rawHead, direction, generation, at: this.#services.now(), data });
    this.#services.commit.touchLater(this, typeof raw.data === "string" ? raw.data.length : 200);
    return this.#rawHead;
  }

  /** What is being prepared may have changed. The store knows it with the next commit. */
  notePreparing(): void {
    if (this.#end === undefined && this.#isPreparingStale) this.#services.commit.touch(this, 0);
  }

  /** Keeps what belongs to the session beside its log; it is committed with what follows, or a moment later. */
  remember(pieces: readonly MemoryPiece[]): void {
    if (this.#end !== undefined || pieces.length === 0) return;
    this.#memory.push(...pieces);
    const bytes = pieces.reduce((sum, { data }) => sum + data.length, 0);
    this.#services.commit.touchLater(this, bytes);
  }

  /** Runs the machine and takes what it makes. `loss` is given where the daemon that ran the agent is gone. */
  act(change: (machine: SessionMachine) => void, loss?: Loss): void {
    const bytes = this.#take(change, { loss }) + this.#copiedBytes;
    this.#copiedBytes = 0;
    if (bytes === 0) return;
    const { commit } = this.#services;
    if (this.#isAwaited) commit.touch(this, bytes);
    else commit.touchSoon(this, bytes);
  }

  /** Like `act`, also after the end of the session: for its title, and for where lists show it. */
  label(change: (machine: SessionMachine) => void): void {
    const bytes = this.#take(change, { isLabel: true });
    if (bytes > 0) this.#services.commit.touch(this, bytes);
  }

  /**
   * Takes events that another log has too: what they cost counts there, and clients know them there. They are committed
   * with the next `act`, however many calls there were before.
   */
  actOnCopies(change: (machine: SessionMachine) => void): void {
    this.#copiedBytes += this.#take(change, { areCopies: true });
  }

  /** For events nobody waits for: it is committed with what follows, or a moment later. */
  actLater(change: (machine: SessionMachine) => void): void {
    const bytes = this.#take(change);
    if (bytes > 0) this.#services.commit.touchLater(this, bytes);
  }

  /**
   * Returns how many characters were made. Nothing but labels follows the end of a session: what comes late is dropped. An
   * error costs this session, never the daemon.
   */
  #take(
    change: (machine: SessionMachine) => void,
    {
      areCopies = false,
      isLabel = false,
      loss,
    }: { areCopies?: boolean; isLabel?: boolean; loss?: Loss } = {},
  ): number {
    if (this.state.closed && !isLabel) return 0;
    const { turn } = this.state;
    try {
      change(this.machine);
      if (this.#end !== undefined) return 0;
      const events = this.machine.take();
      if (!areCopies) this.#endings.push(...this.#endingFinder.find(events, loss?.code));
      if (turn && !areCopies) events.push(...this.#continue(turn, events, loss));
      return this.#encode(events, areCopies);
    } catch (error) {
      this.failed(error);
      return 0;
    }
  }

  /** In the commit that ends a turn, so that it is continued once or not at all. */
  #continue(turn: OpenTurn, events: readonly SessionEvent[], loss: Loss | undefined): SessionEvent[] {
    if (this.state.onLost !== "continue" || this.state.turn) return [];
    const ended = events.find((event) => event.type === "turn.ended" && event.turn === turn.id);
    if (ended?.type !== "turn.ended" || !isCutOff(ended.error?.code)) return [];
    const { preventedBy } = loss ?? {};
    const isDeath = loss !== undefined;
    const message = this.#services.newId("msg");
    continueTurn(this.machine, { turn, ended, isDeath, preventedBy, message });
    return this.machine.take();
  }

  #encode(events: readonly SessionEvent[], areCopies: boolean): number {
    let bytes = 0;
    let hasPrompts = false;
    for (const event of events) {
      const json = this.#encoder.encode(event);
      bytes += json.length;
      this.#isAwaited ||= !STREAMED.has(event.type);
      // Nobody has asked for a copy yet, and there may be a million of them.
      this.#events.push(areCopies ? { seq: event.seq, json } : { seq: event.seq, json, event });
      this.projector.add(event, json.length, areCopies);
      // A copy begins with an event of its own.
      const isOwn = !areCopies || event.type === "session.created";
      const keys = isOwn ? this.#services.keysOf?.(event) : undefined;
      if (keys) for (const key of keys) this.#keys.push({ ...key, seq: event.seq });
      if (event.type === "usage" && !areCopies) this.#addCost(event.cost);
      if (event.type.startsWith("prompt.") || event.type === "message.started") hasPrompts = true;
      if (event.type === "turn.ended") {
        hasPrompts = true;
        this.#seal = true;
      }
    }
    this.#sinceSeal += events.length;
    if (hasPrompts) this.#countWaiting();
    return bytes;
  }

  #addCost(cost: number | undefined): void {
    if (cost) this.#cost = Math.min(addCost(this.#cost, cost)!, MAX_COST);
  }

  #countWaiting(): void {
    const bytes = this.#end === undefined ? queuedBytes(this.state) : 0;
    this.#services.counters.waitingBytes += bytes - this.#waitingBytes;
    this.#waitingBytes = bytes;
  }

  /** Resolves when everything so far is committed; rejects when it never will be. */
  flush(): Promise<void> {
    const seq = this.state.head;
    if (this.#end !== undefined) return Promise.reject(this.#end);
    if (this.#committed >= seq) return Promise.resolve();
    // What was delayed is committed now.
    this.#services.commit.touch(this, 0);
    return new Promise((resolve, reject) => this.#waiters.push({ seq, resolve, reject }));
  }

  /** Resolves when the next end of a turn is committed; rejects when none of this log ever will be. */
  nextTurnEnd(): Promise<void> {
    this.#turnEnd ??= Promise.withResolvers();
    const { promise, reject } = this.#turnEnd;
    // Whoever asked may not need it after all.
    promise.catch(() => {});
    if (this.#end !== undefined) reject(this.#end);
    return promise;
  }

  /**
   * Like `flush`, for answers to commands: also rejects while the log cannot be written, or may not be, because the caller
   * waits. The commit itself goes on.
   */
  durable(done: Promise<void> = this.flush()): Promise<void> {
    const { commit } = this.#services;
    return new Promise((resolve, reject) => {
      const refuse = () => {
        stop();
        reject(outcomeUnknown(commit.problem));
      };
      const stop = commit.onFailure(refuse);
      done.then(resolve, reject).finally(stop);
      if (commit.isSuspended) refuse();
    });
  }

  collect(): SessionAppend | undefined {
    if (this.#end !== undefined || this.#isCollected) return undefined;
    const preparing = this.preparing();
    const seal = this.#seal || this.#sinceSeal >= EVENTS_PER_SEAL;
    const append: SessionAppend = {
      session: this.state.id,
      ...(this.claim && { claim: this.claim }),
      events: this.#events,
      raws: this.#raws,
      row: this.row(),
      ...(preparing && { preparing }),
      ...this.projector.collect(),
      ...(this.#keys.length > 0 && { keys: this.#keys }),
      ...(this.#memory.length > 0 && { memory: this.#memory }),
      ...(seal && { seal, snapshot: this.#snapshot() }),
    };
    this.#events = [];
    this.#isAwaited = false;
    this.#raws = [];
    this.#keys = [];
    this.#memory = [];
    this.storedPreparing = preparing;
    this.#isUnderWay = true;
    if (seal) {
      this.#seal = false;
      this.#sinceSeal = 0;
    }
    return append;
  }

  /** Undefined for a state that is too large: the stored one and the log after it say the same. */
  #snapshot(): SessionAppend["snapshot"] {
    const json = serializeState(this.state);
    return json === undefined ? undefined : { seq: this.state.head, json };
  }

  committed(append: SessionAppend): void {
    this.#isUnderWay = false;
    // Raw records alone change nothing anybody can see.
    if (append.events.length === 0) return;
    this.#committed = append.events.at(-1)!.seq;
    // At once: whoever follows from now on has read it from the store.
    this.#services.listeners.publish(this.state.id, append.events, () => this.#summary(append.row));
    if (this.#turnEnd && append.events.some((encoded) => eventOf(encoded).type === "turn.ended")) {
      this.#turnEnd.resolve();
      this.#turnEnd = undefined;
    }
    while (this.#endings[0] && this.#endings[0].seq <= this.#committed)
      this.#services.endings.report(this.#endings.shift()!);
    const done = this.#waiters.filter((waiter) => waiter.seq <= this.#committed);
    if (done.length === 0) return;
    this.#waiters = this.#waiters.filter((waiter) => waiter.seq > this.#committed);
    for (const waiter of done) waiter.resolve();
  }

  #summary(row: SessionRow): SessionSummary {
    const { nodeName } = this.#services.ownership;
    if (nodeName === undefined) return summarizeSession(row);
    return summarizeSession({ ...row, node: nodeName, nodeNumber: this.claim?.node });
  }

  /** Tells the feed that this node has the session, or that none has any more. */
  announceOwner(isOurs: boolean): void {
    if (this.#services.ownership.nodeName === undefined) return;
    this.#services.listeners.changed(() =>
      isOurs ? this.#summary(this.row()) : summarizeSession(this.row()),
    );
  }

  /** Throws why nothing more is written: it was deleted, or given up and is about to be read again. */
  assertAlive(): void {
    if (this.#end !== undefined) throw this.#end;
  }

  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  failed(error: unknown): void {
    if (this.#end !== undefined) return;
    this.end(isSessionMoved(error) || isEventsLost(error) ? error : storeRefused(error));
    this.onLost?.(error);
  }

  /** Nothing more is written; whoever waits is told why. */
  end(reason: unknown): void {
    this.#end ??= reason;
    this.#countWaiting();
    this.#events = [];
    this.#raws = [];
    this.#memory = [];
    this.#endings = [];
    this.#isUnderWay = false;
    for (const waiter of this.#waiters.splice(0)) waiter.reject(this.#end);
    this.#turnEnd?.reject(this.#end);
  }

  row(): SessionRow {
    const { state } = this;
    return {
      id: state.id,
      agent: state.agent,
      cwd: state.cwd,
      title: state.title,
      status: sessionStatus(state),
      model: state.model,
      mode: state.mode,
      permissionMode: state.permissionMode,
      metadata: state.metadata,
      agentSessionId: state.agentSessionId,
      createdAt: state.createdAt,
      updatedAt: state.updatedAt,
      head: state.head,
      rawHead: this.#rawHead,
      openAsks: [...state.asks.values()].filter((ask) => !ask.answered).length,
      queued: state.queue.length,
      attached: state.attached,
      request: this.request,
      ...(state.forkedFrom && { forkedFrom: state.forkedFrom }),
      ...(state.pinned && { pinned: state.pinned }),
      ...(state.archived && { archived: state.archived }),
      ...(this.#cost !== undefined && { cost: this.#cost }),
      ...(state.cutOffAt !== undefined && { cutOffAt: state.cutOffAt }),
    };
  }
}

/** Nothing may happen that is not recorded. */
export function storeUnavailable(problem: string | undefined): InterlinguaError {
  const detail = `${problem ?? "The log cannot be written."} The daemon goes on by itself when it can.`;
  return new InterlinguaError("store_unavailable", detail, { retryAfterSeconds: 5 });
}

/** For who has asked for something that waits to be written. */
function outcomeUnknown(problem: string | undefined): InterlinguaError {
  const detail = `${problem ?? "The log cannot be written."} The daemon goes on by itself when it can, and may then still do what was asked. Look at the session before you ask again.`;
  return new InterlinguaError("store_unavailable", detail, { retryAfterSeconds: 5 });
}

function storeRefused(cause: unknown): InterlinguaError {
  const detail = `${errorText(cause)} The session is read from the store again. Look at it, then try again.`;
  return new InterlinguaError("store_unavailable", detail, { cause });
}

/** It goes on at another node. */
export function isSessionMoved(error: unknown): boolean {
  return InterlinguaError.isInstance(error) && error.code === "session_moved";
}

/** The database has gone back: it is read again. */
export function isEventsLost(error: unknown): boolean {
  return InterlinguaError.isInstance(error) && error.code === "events_lost";
}

export function isStoreUnavailable(error: unknown): boolean {
  return InterlinguaError.isInstance(error) && error.code === "store_unavailable";
}
