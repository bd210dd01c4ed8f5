/** Locks as rows of PostgreSQL, each with the node that holds it: one of a dead node is free. */
import { setTimeout as sleep } from "node:timers/promises";
import { InterlinguaError } from "../core/error.ts";
import type { HeldLock, NodeLocks, TakeOptions } from "../core/node-lock.ts";
import type { PostgresConnection } from "../store/postgres/connection.ts";
import type { NodeLease } from "./node-lease.ts";

/** One that names us is ours: its answer was lost, or its release was. */
const TAKE = `INSERT INTO directory_lock AS l (name, node)
    SELECT $1, $2 WHERE EXISTS (SELECT 1 FROM node WHERE id = $2 AND NOT dead)
  ON CONFLICT (name) DO UPDATE SET node = $2, epoch = l.epoch + 1, is_wanted = false,
      is_abandoned = l.node IS NOT NULL
    WHERE l.node IS NULL OR l.node = $2 OR l.node IN (SELECT id FROM node WHERE dead)
  RETURNING epoch, is_abandoned AS "isAbandoned"`;

const WANT = "UPDATE directory_lock SET is_wanted = true WHERE name = $1 AND NOT is_wanted";

const IS_WANTED = "SELECT is_wanted FROM directory_lock WHERE name = $1 AND node = $2 AND epoch = $3";

const RELEASE = "UPDATE directory_lock SET node = NULL WHERE name = $1 AND node = $2 AND epoch = $3";

const FIRST_PAUSE_MS = 10;
const MAX_PAUSE_MS = 200;
const WATCH_MS = 500;
/** Names whose last epoch is known. */
const MAX_KNOWN = 10_000;

interface Taken {
  epoch: number;
  isAbandoned: boolean;
}

export interface DirectoryLocksOptions {
  connection: Pick<PostgresConnection, "query">;
  lease: Pick<NodeLease, "node" | "check">;
  /** While it is set nobody knows whether this node still lives. */
  suspended(): Promise<void> | undefined;
}

export class DatabaseLocks implements NodeLocks {
  readonly #options: DirectoryLocksOptions;
  /** The epochs in which this node had locks last. */
  readonly #known = new Map<string, number>();

  constructor(options: DirectoryLocksOptions) {
    this.#options = options;
  }

  async take(
    name: string,
    { signal, isBackground = false }: TakeOptions = {},
  ): Promise<HeldLock | undefined> {
    const { connection, lease } = this.#options;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
      signal?.throwIfAborted();
      await this.#options.suspended();
      const { node } = lease;
      const [taken] = await connection.query<Taken>(TAKE, [name, node]);
      if (taken) return this.#hold(name, node, taken, isBackground);
      if (isBackground) return undefined;
      await connection.query(WANT, [name]);
      await sleep(pauseMs, undefined, { signal });
    }
  }

  guard(): Pick<HeldLock, "confirm" | "isHeld"> {
    const { lease } = this.#options;
    const { node } = lease;
    const isHeld = () => lease.check() === "live" && lease.node === node;
    return {
      isHeld,
      confirm: async () => {
        while (!isHeld()) {
          if (lease.node !== node || lease.check() === "lost") throw lockLost();
          await this.#options.suspended();
        }
      },
    };
  }

  #hold(name: string, node: number, { epoch, isAbandoned }: Taken, isBackground: boolean): HeldLock {
    const hasMoved = this.#known.get(name) !== epoch - 1;
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(name, epoch);
    const watch = isBackground ? this.#watch(name, node, epoch) : undefined;
    return {
      hasMoved,
      isAbandoned,
      wanted: watch?.signal,
      ...this.guard(),
      release: async () => {
        watch?.stop();
        await this.#release(name, node, epoch);
      },
    };
  }

  #watch(name: string, node: number, epoch: number): { signal: AbortSignal; stop(): void } {
    const wanted = new AbortController();
    const timer = setInterval(() => {
      const values = [name, node, epoch];
      this.#options.connection.query<{ is_wanted: boolean }>(IS_WANTED, values).then(
        ([row]) => {
          if (row?.is_wanted) wanted.abort(new Error("another node wants it"));
        },
        () => {},
      );
    }, WATCH_MS).unref();
    return { signal: wanted.signal, stop: () => clearInterval(timer) };
  }

  /** Until it arrives, or this node is another one: then everybody may have it anyhow. */
  async #release(name: string, node: number, epoch: number): Promise<void> {
    const { connection, lease } = this.#options;
    try {
      await connection.query(RELEASE, [name, node, epoch]);
    } catch {
      const again = () => {
        if (lease.node === node && this.#known.get(name) === epoch) void this.#release(name, node, epoch);
      };
      setTimeout(again, WATCH_MS).unref();
    }
  }
}

function lockLost(): InterlinguaError {
  return new InterlinguaError(
    "workspace_failed",
    "This node lost touch with the database while it worked on the files. Others may have gone on with them.",
  );
}
