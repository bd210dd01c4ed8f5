/** Resources that sessions share, one for each key: started for the first user, ended after the last. */

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
  resource?: Resource;
  users: number;
  timer?: NodeJS.Timeout;
}

/**
 * @example
 * const pool = new SharedPool<Connection>({ lingerMs: 10_000 });
 * const { resource, release } = await pool.acquire(`${command} ${environment}`, () => startConnection(command));
 */
export class SharedPool<Resource extends Sharable> {
  readonly #entries = new Map<string, Entry<Resource>>();
  readonly #options: SharedPoolOptions;

  constructor(options: SharedPoolOptions) {
    this.#options = options;
  }

  /** Two that acquire at once share one start. When it fails both get the reason, and the next one tries again. */
  async acquire(key: string, start: () => Promise<Resource>): Promise<Lease<Resource>> {
    const entry = this.#entryFor(key, start);
    clearTimeout(entry.timer);
    entry.users += 1;
    try {
      const resource = await entry.starting;
      let isReleased = false;
      const release = () => {
        if (isReleased) return;
        isReleased = true;
        this.#release(key, entry);
      };
      return { resource, release };
    } catch (error) {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
      throw error;
    }
  }

  #entryFor(key: string, start: () => Promise<Resource>): Entry<Resource> {
    const known = this.#entries.get(key);
    if (known && !known.resource?.isOver) return known;
    const entry: Entry<Resource> = { starting: start(), users: 0 };
    entry.starting.then(
      (resource) => {
        entry.resource = resource;
      },
      () => {},
    );
    this.#entries.set(key, entry);
    return entry;
  }

  #release(key: string, entry: Entry<Resource>): void {
    entry.users -= 1;
    if (entry.users > 0) return;
    entry.timer = setTimeout(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
      // What cannot be ended now, the process host ends when the daemon stops.
      entry.resource?.end().catch(() => {});
    }, this.#options.lingerMs);
    // A daemon that stops does not wait for it.
    entry.timer.unref();
  }
}
