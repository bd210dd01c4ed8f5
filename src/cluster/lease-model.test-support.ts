/**
 * Nodes, their leases and claims in a world with one database and no real time: what a node sends arrives when the world
 * says so, nodes are stopped and go on, and their clocks run at speeds of their own.
 */
import { FIRST_EPOCH } from "../core/ownership.ts";
import type { LeaseTimes } from "./lease-times.ts";
import { type LeaseState, NodeLease } from "./node-lease.ts";
import type { NodeBeat } from "./observed-beats.ts";

export const TIMES: LeaseTimes = { beatMs: 2000, freezeMs: 7000, deadMs: 10_000, reconcileMs: 10_000 };

/** How much a clock may be off: two of them differ by less than what lies between both deadlines. */
export const MAX_DRIFT = 0.15;

interface NodeRow {
  beat: number;
  dead: boolean;
}

interface SessionRow {
  owner?: number;
  epoch: number;
}

/** An append that the database took. */
interface Accepted {
  epoch: number;
  node: ModelNode;
}

/** The one database: everything happens in it at once. */
export class ModelWorld {
  now = 0;
  /** Whether it can be reached. */
  isAway = false;
  readonly rows = new Map<number, NodeRow>();
  readonly session: SessionRow = { epoch: FIRST_EPOCH };
  readonly log: Accepted[] = [];
  /** What must never be, in words. */
  readonly violations: string[] = [];
  readonly nodes: ModelNode[];

  constructor(speeds: readonly number[], times = TIMES) {
    this.nodes = speeds.map((speed, index) => new ModelNode(this, `n${index}`, speed, times));
  }

  isFree(): boolean {
    const { owner } = this.session;
    return owner === undefined || this.rows.get(owner)?.dead === true;
  }

  /** The statement of a claim. */
  claim(node: ModelNode): number | undefined {
    const { session } = this;
    if (this.rows.get(node.id)?.dead !== false || !this.isFree()) return undefined;
    for (const other of this.nodes)
      if (other !== node && other.isAtWork)
        this.violations.push(`${other.name} works while ${node.name} claims`);
    session.owner = node.id;
    session.epoch += 1;
    return session.epoch;
  }

  /** The statement of an append. */
  append(node: ModelNode, epoch: number): boolean {
    if (epoch !== this.session.epoch) return false;
    if (this.log.some((accepted) => accepted.epoch > epoch))
      this.violations.push("written after a later claim");
    if (this.log.some((accepted) => accepted.epoch === epoch && accepted.node !== node))
      this.violations.push("two nodes wrote in one epoch");
    this.log.push({ epoch, node });
    return true;
  }
}

export class ModelNode {
  readonly name: string;
  readonly #world: ModelWorld;
  readonly lease: NodeLease;
  isStopped = false;
  /** Whether the database cannot be reached from here. */
  isCut = false;
  /** The epoch it believes to have the session in. */
  epoch: number | undefined;
  /** Whether it lets its agent run. */
  #isThawed = true;
  /** When the reaper stops the agent, by the clock of this machine. */
  #reapedAt = 0;
  readonly #speed: number;

  constructor(world: ModelWorld, name: string, speed: number, times: LeaseTimes) {
    this.#world = world;
    this.name = name;
    this.#speed = speed;
    const { rows } = world;
    this.lease = new NodeLease({
      times,
      clock: { monotonic: () => world.now * speed, wall: () => world.now * speed },
      onState: (state) => this.#follow(state),
      onBeat: (leftMs) => {
        this.#reapedAt = world.now * speed + leftMs;
      },
      table: {
        join: async () => {
          this.#reach();
          const id = rows.size + 1;
          rows.set(id, { beat: 0, dead: false });
          return id;
        },
        beat: async (id) => {
          this.#reach();
          const row = rows.get(id)!;
          if (row.dead) return false;
          row.beat += 1;
          return true;
        },
        readBeats: async () => {
          this.#reach();
          return [...rows].flatMap(([id, { beat, dead }]): NodeBeat[] => (dead ? [] : [{ id, beat }]));
        },
        declareDead: async ({ id, beat }) => {
          this.#reach();
          const row = rows.get(id)!;
          if (row.dead || row.beat !== beat) return false;
          row.dead = true;
          return true;
        },
      },
    });
  }

  get id(): number {
    return this.lease.node;
  }

  /** Its agent does something that it was told to, whether the node itself is stopped or not. */
  get isAtWork(): boolean {
    return this.epoch !== undefined && this.#isThawed && this.#world.now * this.#speed < this.#reapedAt;
  }

  /** What its timers do once in a while, unless it is stopped. */
  async turn(): Promise<void> {
    if (this.isStopped) return;
    if (this.lease.check() === "lost") {
      this.epoch = undefined;
      await this.lease.join().catch(() => {});
    } else await this.lease.beat().catch(() => {});
    await this.lease.observe().catch(() => {});
  }

  tryClaim(): void {
    if (this.isStopped || this.epoch !== undefined || this.#isAway || this.lease.check() !== "live") return;
    this.epoch = this.#world.claim(this);
  }

  /** @param isDisobedient Whether it does not look at its clock before. */
  tryAppend(isDisobedient: boolean): void {
    if (this.isStopped || this.epoch === undefined || this.#isAway) return;
    if (!isDisobedient && this.lease.check() !== "live") return;
    if (!this.#world.append(this, this.epoch)) this.epoch = undefined;
  }

  #follow(state: LeaseState): void {
    this.#isThawed = state === "live";
  }

  get #isAway(): boolean {
    return this.isCut || this.#world.isAway;
  }

  #reach(): void {
    if (this.#isAway) throw new Error("the database is away");
  }
}
