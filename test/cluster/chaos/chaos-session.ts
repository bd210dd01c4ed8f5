/** A session that a node of a chaos run has: it appends numbered events as fast as it may, until it is told to stop. */
import type { EncodedEvent } from "../../../src/core/encoded-event.ts";
import type { Claim } from "../../../src/core/ownership.ts";
import type { RawRecord } from "../../../src/core/raw-record.ts";
import type { SessionAppend, SessionRow } from "../../../src/core/store.ts";
import type { CommitSource, GroupCommit } from "../../../src/engine/commits/group-commit.ts";
import { isSessionMoved } from "../../../src/engine/session/session-log.ts";
import type { Random } from "../../../src/testkit/random.ts";
import { encodeWriter, type HistoryRecord } from "./history.ts";

export interface ChaosSessionOptions {
  id: string;
  claim: Claim;
  /** Where its log ends. */
  head: Heads;
  commit: GroupCommit;
  random: Random;
  record(record: HistoryRecord): void;
  /** It is not ours any more, or nobody knows. Called once. */
  onEnd(): void;
  /** Sabotage: what failed counts as not written, and other events take its place. */
  believesErrors?: boolean;
}

/** Of events and of raw records. */
export interface Heads {
  events: number;
  raws: number;
}

const MAX_EVENTS = 4;
const MAX_RAWS = 2;
const SEAL_CHANCE = 0.1;

/** Between a commit and the next append, so that several processes and a database share two cores. */
const MAX_PAUSE_MS = 12;

export class ChaosSession implements CommitSource {
  readonly #options: ChaosSessionOptions;
  /** Where the log ends with what was collected, and with what was acknowledged. */
  #head: Heads;
  #acknowledged: Heads;
  #count = 0;
  #isWanted = false;
  #hasEnded = false;
  /** How much the next append has, where one takes the place of another. */
  #sizes: Heads | undefined;

  constructor(options: ChaosSessionOptions) {
    this.#options = options;
    this.#head = { ...options.head };
    this.#acknowledged = { ...options.head };
  }

  get claim(): Claim {
    return this.#options.claim;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Appends until it has ended. */
  start(): void {
    this.#want();
  }

  /** Nothing more is appended. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#options.onEnd();
  }

  #want(): void {
    if (this.#hasEnded) return;
    this.#isWanted = true;
    this.#options.commit.touch(this, 100);
  }

  collect(): SessionAppend | undefined {
    if (!this.#isWanted || this.#hasEnded) return undefined;
    this.#isWanted = false;
    const { id, claim, random } = this.#options;
    const sizes = this.#sizes ?? { events: random.integer(1, MAX_EVENTS), raws: random.integer(0, MAX_RAWS) };
    const events = Array.from({ length: sizes.events }, () => this.#event());
    const raws = Array.from({ length: sizes.raws }, () => this.#raw());
    return {
      session: id,
      claim,
      events,
      raws,
      row: rowOf(id, this.#head),
      messages: [],
      asks: [],
      usage: [],
      ...(random.chance(SEAL_CHANCE) && { seal: true }),
    };
  }

  #event(): EncodedEvent {
    this.#head.events += 1;
    this.#count += 1;
    const { id, claim } = this.#options;
    const seq = this.#head.events;
    const delta = encodeWriter({ ...claim, count: this.#count });
    return { seq, json: JSON.stringify({ session: id, seq, at: 1, type: "text.delta", part: "p", delta }) };
  }

  #raw(): RawRecord {
    this.#head.raws += 1;
    const { node, epoch } = this.#options.claim;
    const rawSeq = this.#head.raws;
    const data = JSON.stringify({ seq: rawSeq, by: `${node}:${epoch}:${rawSeq}` });
    return { rawSeq, direction: "in", generation: 1, at: 1, data };
  }

  committed({ events, row }: SessionAppend): void {
    const { id, record, random } = this.#options;
    record({ kind: "acknowledged", session: id, first: events[0]!.seq, texts: events.map(textOf) });
    this.#acknowledged = { events: row.head, raws: row.rawHead };
    this.#sizes = undefined;
    setTimeout(() => this.#want(), random.integer(0, MAX_PAUSE_MS));
  }

  failed(error: unknown): void {
    const { believesErrors } = this.#options;
    const { events, raws } = this.#acknowledged;
    if (!believesErrors || isSessionMoved(error) || this.#sizes) return this.end();
    // Others take the place of what was collected, as many.
    this.#sizes = { events: this.#head.events - events, raws: this.#head.raws - raws };
    this.#head = { events, raws };
    this.#want();
  }
}

/** What an event of these sessions says. */
export function textOf({ json }: EncodedEvent): string {
  return (JSON.parse(json) as { delta: string }).delta;
}

function rowOf(id: string, { events, raws }: Heads): SessionRow {
  return {
    id,
    agent: "mock",
    cwd: "/",
    status: "running",
    createdAt: 1,
    updatedAt: 1,
    head: events,
    rawHead: raws,
    openAsks: 0,
    queued: 0,
    attached: false,
    request: "{}",
  };
}
