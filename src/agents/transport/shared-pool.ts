/** Resources that sessions share, one for each key: started for the first user, ended after the last. */
import { untilAborted } from "../../core/until-aborted.ts";

export interface Sharable {
  /** It is gone by itself. Whoever comes next gets a new one. */
  readonly isOver: boolean;
  end(): Promise<void>;
}

export interface Lease<Resource> {
  readonly resource: Resource;
  /** Idempotent. */
  release(): void;
}

interface SharedPoolOptions {
  /** How long a resource that nobody uses is kept for the next. */
  readonly lingerMs: number;
}

interface Entry<Resource> {
  readonly starting: Promise<Resource>;
  /** Aborted when nobody waits for the start any more. */
  readonly unwanted: AbortController;
  resource?: Resource;
  users: number;
  timer?: NodeJS.Timeout;
}

/**
 * @example
 * const pool = new SharedPool<Connection>({ lingerMs: 10_000 });
 * const start = (signal: AbortSignal) => startConnection(command, signal);
 * const { resource, release } = await pool.acquire(`${command} ${environment}`, start);
 */
export class SharedPool<Resource extends Sharable> {
  readonly #entries = new Map<string, Entry<Resource>>();
  readonly #options: SharedPoolOptions;

  constructor(options: SharedPoolOptions) {
    this.#options = options;
  }

  /**
   * Two that acquire at once share one start. When it fails both get the reason, and the next one tries again. `signal`
   * stops the waiting; the signal of `start` is aborted when nobody waits any more.
   */
  async acquire(
    key: string,
    start: (signal: AbortSignal) => Promise<Resource>,
    signal?: AbortSignal,
  ): Promise<Lease<Resource>> {
    signal?.throwIfAborted();
    const entry = this.#entryFor(key, start);
    clearTimeout(entry.timer);
    entry.users += 1;
    let isReleased = false;
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      this.#release(key, entry, signal?.reason);
    };
    try {
      return { resource: await untilAborted(entry.starting, signal), release };
    } catch (error) {
      release();
      throw error;
    }
  }

  #entryFor(key: string, start: (signal: AbortSignal) => Promise<Resource>): Entry<Resource> {
    const known = this.#entries.get(key);
    if (known && !known.resource?.isOver) return known;
    const unwanted = new AbortController();
    const entry: Entry<Resource> = { starting: start(unwanted.signal), unwanted, users: 0 };
    entry.starting.then(
      (resource) => {
        entry.resource = resource;
        // It was started in spite of the signal.
        if (unwanted.signal.aborted) resource.end().catch(() => {});
      },
      () => this.#forget(key, entry),
    );
    this.#entries.set(key, entry);
    return entry;
  }

  #forget(key: string, entry: Entry<Resource>): void {
    if (this.#entries.get(key) === entry) this.#entries.delete(key);
  }

  #release(key: string, entry: Entry<Resource>, reason: unknown): void {
    entry.users -= 1;
    if (entry.users > 0) return;
    if (!entry.resource) {
      this.#forget(key, entry);
      entry.unwanted.abort(reason);
      return;
    }
    entry.timer = setTimeout(() => {
      this.#forget(key, entry);
      // What cannot be ended now, the process host ends when the daemon stops.
      entry.resource?.end().catch(() => {});
    }, this.#options.lingerMs);
    // A daemon that stops does not wait for it.
    entry.timer.unref();
  }
}
