/** Nodes in one process: a store, an owner for each session, and streams that can be cut and refused. */
import { type Duplex, duplexPair } from "node:stream";
import type { EncodedEvent } from "../../core/encoded-event.ts";
import type { NodeAddress } from "../../core/ownership.ts";
import type { SessionRow } from "../../core/store.ts";
import { TimeSlices } from "../../core/time-slices.ts";
import { CommitListeners } from "../../engine/commits/commit-listeners.ts";
import { FanOut } from "../../server/streams/fan-out.ts";
import { LogReader } from "../../server/streams/log-reader.ts";
import { ClusterFollowing } from "./cluster-following.ts";

const TIMES = {
  ...{ refreshMs: 10, firstPauseMs: 2, maxPauseMs: 20 },
  ...{ looseMs: 20, roundsForAll: 10_000 },
  ...{ pollMs: 15, lingerMs: 50, gapMs: 1, graceMs: 100 },
};

interface StoredSession {
  log: EncodedEvent[];
  owner?: number;
  updatedAt: number;
}

/** A way from one node to another, one direction of asking. */
interface Way {
  isCut: boolean;
  open: Set<() => void>;
}

export class MemoryCluster {
  readonly sessions = new Map<string, StoredSession>();
  readonly nodes: MemoryNode[] = [];
  readonly dead = new Set<number>();
  readonly faults: unknown[] = [];
  readonly #ways = new Map<string, Way>();
  #clock = 0;
  /** How often the store was asked where logs end. */
  headReads = 0;

  constructor(count: number) {
    for (let id = 1; id <= count; id += 1) this.nodes.push(new MemoryNode(id, this));
  }

  way(from: number, to: number): Way {
    const key = `${from}>${to}`;
    const way = this.#ways.get(key) ?? { isCut: false, open: new Set() };
    this.#ways.set(key, way);
    return way;
  }

  /** Both directions between two nodes. */
  cut(a: number, b: number): void {
    for (const way of [this.way(a, b), this.way(b, a)]) {
      way.isCut = true;
      for (const end of [...way.open]) end();
    }
  }

  heal(a: number, b: number): void {
    for (const way of [this.way(a, b), this.way(b, a)]) way.isCut = false;
  }

  async open(from: number, to: number): Promise<Duplex> {
    const way = this.way(from, to);
    const accept = this.nodes[to - 1]?.accept;
    if (way.isCut || !accept || this.dead.has(to)) throw new Error("refused");
    const [near, far] = duplexPair();
    const end = () => {
      near.destroy();
      far.destroy();
    };
    way.open.add(end);
    near.on("close", () => way.open.delete(end));
    accept(far, from);
    return near;
  }

  others(self: number): NodeAddress[] {
    return this.nodes
      .filter(({ id }) => id !== self && !this.dead.has(id))
      .map(({ id }) => ({ id, name: `n${id}`, url: `memory:${id}` }));
  }

  /** A node that has no session claims it, as the database would let it. */
  claim(session: string, node: number): boolean {
    const stored = this.sessions.get(session)!;
    if (stored.owner !== undefined && stored.owner !== node && !this.dead.has(stored.owner)) return false;
    stored.owner = node;
    this.nodes[node - 1]!.hold(session, true);
    return true;
  }

  create(session: string, node: number): void {
    this.sessions.set(session, { log: [], owner: node, updatedAt: 0 });
    this.nodes[node - 1]!.hold(session, true);
    this.commit(session);
  }

  release(session: string): void {
    const stored = this.sessions.get(session)!;
    const { owner } = stored;
    stored.owner = undefined;
    if (owner !== undefined) this.nodes[owner - 1]!.hold(session, false);
  }

  /** Its owner commits so many events. False if it has none. */
  commit(session: string, count = 1): boolean {
    const stored = this.sessions.get(session)!;
    if (stored.owner === undefined || this.dead.has(stored.owner)) return false;
    const events = Array.from({ length: count }, (_, n): EncodedEvent => {
      const seq = stored.log.length + 1 + n;
      return { seq, json: JSON.stringify({ session, seq, by: stored.owner }) };
    });
    stored.log.push(...events);
    this.#clock += 1;
    stored.updatedAt = this.#clock;
    const row = this.row(session);
    this.nodes[stored.owner - 1]!.listeners.publish(session, events, () => ({ session, ...row }) as never);
    return true;
  }

  delete(session: string): void {
    const { owner } = this.sessions.get(session)!;
    this.sessions.delete(session);
    if (owner === undefined) return;
    const node = this.nodes[owner - 1]!;
    node.hold(session, false);
    node.listeners.deleted(session);
  }

  /** Without a word, as by kill -9. */
  kill(node: number): void {
    this.dead.add(node);
    for (const { id } of this.nodes) if (id !== node) this.cut(node, id);
    this.nodes[node - 1]!.following.close();
  }

  row(session: string): SessionRow {
    const { log, updatedAt } = this.sessions.get(session)!;
    return { id: session, head: log.length, updatedAt } as SessionRow;
  }

  close(): void {
    for (const { following, fanOut } of this.nodes) {
      fanOut.close();
      following.close();
    }
  }
}

export class MemoryNode {
  readonly id: number;
  readonly listeners: CommitListeners;
  readonly following: ClusterFollowing;
  readonly fanOut: FanOut;
  accept: ((duplex: Duplex, from: number) => void) | undefined;
  readonly #held = new Set<string>();
  readonly #watchers = new Set<(session: string, isHere: boolean) => void>();

  constructor(id: number, cluster: MemoryCluster) {
    this.id = id;
    const onFault = (error: unknown) => cluster.faults.push(error);
    this.listeners = new CommitListeners(onFault);
    const store = {
      async readEvents(session: string, after: number, limit: number) {
        await new Promise(setImmediate);
        const log = cluster.sessions.get(session)?.log ?? [];
        return { events: log.slice(after, after + limit), head: log.length };
      },
      async listSessions({ limit }: { limit: number }) {
        await new Promise(setImmediate);
        const rows = [...cluster.sessions.keys()].map((session) => cluster.row(session));
        return { sessions: rows.sort((a, b) => b.updatedAt - a.updatedAt).slice(0, limit) };
      },
    };
    this.following = new ClusterFollowing({
      engine: this.listeners,
      store,
      held: {
        has: (session) => this.#held.has(session),
        onMoved: (watcher) => {
          this.#watchers.add(watcher);
          return () => this.#watchers.delete(watcher);
        },
      },
      transport: { open: (node) => cluster.open(id, node.id) },
      routes: {
        onOpen: (_, handler) => {
          this.accept = handler;
        },
      },
      nodes: async () => cluster.others(id),
      async readHeads(sessions) {
        cluster.headReads += 1;
        const found = sessions.flatMap((session) => {
          const stored = cluster.sessions.get(session);
          if (!stored) return [];
          const owner =
            stored.owner !== undefined && !cluster.dead.has(stored.owner) ? stored.owner : undefined;
          return [[session, { head: stored.log.length, owner }] as const];
        });
        await new Promise(setImmediate);
        return new Map(found);
      },
      onFault,
      limits: { beatMs: 20, silenceMs: 10_000 },
      times: TIMES,
    });
    this.fanOut = new FanOut({
      engine: this.following,
      store: { ...store, health: () => ({ damagedSessions: [] }) },
      slices: new TimeSlices(),
      presence: { enter: () => () => {} },
      limits: {
        maxStreams: 100,
        keepAliveMs: 1000,
        pageBytes: 1_000_000,
        recentBytes: 100_000,
        recentBytesOverall: 1_000_000,
      },
    });
  }

  hold(session: string, isHere: boolean): void {
    if (isHere) this.#held.add(session);
    else this.#held.delete(session);
    for (const watcher of this.#watchers) watcher(session, isHere);
  }

  /** What a reader of this node is sent, from the beginning. */
  read(session: string): { seqs: number[]; isDeleted: boolean; errors: unknown[]; stop(): void } {
    const seen = {
      seqs: [] as number[],
      isDeleted: false,
      errors: [] as unknown[],
      stop: () => reader.stop(),
    };
    const reader = new LogReader(this.fanOut.channel(session), 0, {
      isFull: false,
      send: (slice) => seen.seqs.push(...slice.events.map(({ seq }) => seq)),
      onDeleted: () => {
        seen.isDeleted = true;
      },
      onError: (error) => seen.errors.push(error),
    });
    reader.start();
    return seen;
  }
}
