/**
 * The lease of this node: a counter in the database that it raises while it lives. Others take its sessions when they have
 * seen the counter stand still for long enough; before that the node freezes by itself. No clock is compared with that of
 * another machine. Timers are those of whoever uses it.
 */
import type { LeaseTimes } from "./lease-times.ts";
import { type NodeBeat, ObservedBeats } from "./observed-beats.ts";

/** Where nodes and their beats are kept. */
export interface LeaseTable {
  /** Makes a row for this node; its number. */
  join(): Promise<number>;
  /** False when the node was declared dead. */
  beat(node: number): Promise<boolean>;
  /** Those of nodes that are not declared dead. */
  readBeats(): Promise<NodeBeat[]>;
  /** Only if its beat is still this one. True if that was done now. */
  declareDead(node: NodeBeat): Promise<boolean>;
}

export interface LeaseClock {
  /** Stands still while the machine sleeps. */
  monotonic(): number;
  /** Can be set. */
  wall(): number;
}

/**
 * - `live`: it may write.
 * - `frozen`: it may have been declared dead, so it does nothing until it knows.
 * - `lost`: it was declared dead, and has to join anew.
 */
export type LeaseState = "live" | "frozen" | "lost";

export interface NodeLeaseOptions {
  table: LeaseTable;
  times: LeaseTimes;
  clock: LeaseClock;
  /** Called after each change, at once. */
  onState(state: LeaseState): void;
  /** Called when a beat has arrived: the node has this long until it freezes, unless another one arrives. */
  onBeat(leftMs: number): void;
}

interface Moment {
  monotonic: number;
  wall: number;
}

export class NodeLease {
  readonly #options: NodeLeaseOptions;
  readonly #others: ObservedBeats;
  #node = 0;
  #state: LeaseState = "lost";
  /** When the last beat that arrived was sent. */
  #beatSent: Moment = { monotonic: 0, wall: 0 };

  constructor(options: NodeLeaseOptions) {
    this.#options = options;
    this.#others = new ObservedBeats(options.times.deadMs);
  }

  /** The number of this incarnation. */
  get node(): number {
    return this.#node;
  }

  /** Begins a new incarnation. Rejects, and changes nothing, where the table cannot be reached. */
  async join(): Promise<void> {
    const sent = this.#now();
    this.#node = await this.#options.table.join();
    this.#become("live");
    this.#arrived(sent);
  }

  /** Rejects where the table cannot be reached. */
  async beat(): Promise<void> {
    const sent = this.#now();
    const lives = await this.#options.table.beat(this.#node);
    if (!lives) return this.#become("lost");
    this.#arrived(sent);
  }

  #arrived(sent: Moment): void {
    this.#beatSent = sent;
    this.check();
    this.#options.onBeat(Math.max(0, this.#options.times.freezeMs - this.#silence()));
  }

  /** Looks at the clock: the state may have changed since. */
  check(): LeaseState {
    if (this.#state !== "lost")
      this.#become(this.#silence() < this.#options.times.freezeMs ? "live" : "frozen");
    return this.#state;
  }

  /** Since the last beat that arrived, by the clock that has gone further. */
  #silence(): number {
    const { monotonic, wall } = this.#now();
    return Math.max(monotonic - this.#beatSent.monotonic, wall - this.#beatSent.wall);
  }

  /** Declares those dead that have stood still. Returns how many. Rejects where the table cannot be reached. */
  async observe(): Promise<number> {
    const { table, clock } = this.#options;
    const others = (await table.readBeats()).filter(({ id }) => id !== this.#node);
    let dead = 0;
    for (const node of this.#others.note(others, clock.monotonic()))
      if (await table.declareDead(node)) dead += 1;
    return dead;
  }

  /** Whether another node has been silent for so long that it must have frozen, as far as we saw. */
  isFrozen(node: number): boolean {
    return this.#others.isStill(node, this.#options.times.freezeMs);
  }

  #now(): Moment {
    const { clock } = this.#options;
    return { monotonic: clock.monotonic(), wall: clock.wall() };
  }

  #become(state: LeaseState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#options.onState(state);
  }
}
