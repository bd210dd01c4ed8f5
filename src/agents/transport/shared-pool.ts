/** Things that several sessions use together, one for each key: started when the first wants it, ended after the last. */

export interface Sharable {
  /** It is gone by itself. Whoever comes next gets a new one. */
  readonly isOver: boolean;
  end(): Promise<void>;
}

export interface Share<Thing> {
  readonly thing: Thing;
  /** Idempotent. */
  leave(): void;
}

export interface SharedPoolOptions {
  /** How long a thing that nobody uses is kept for the next. */
  readonly lingerMs: number;
}

interface Entry<Thing> {
  readonly starting: Promise<Thing>;
  thing?: Thing;
  users: number;
  timer?: NodeJS.Timeout;
}

/**
 * @example
 * const pool = new SharedPool<Connection>({ lingerMs: 10_000 });
 * const { thing, leave } = await pool.join(`${command} ${environment}`, () => startConnection(command));
 */
export class SharedPool<Thing extends Sharable> {
  readonly #entries = new Map<string, Entry<Thing>>();
  readonly #options: SharedPoolOptions;

  constructor(options: SharedPoolOptions) {
    this.#options = options;
  }

  /** Two that join at once share one start. When it fails both get the reason, and the next one tries again. */
  async join(key: string, start: () => Promise<Thing>): Promise<Share<Thing>> {
    const entry = this.#entryFor(key, start);
    clearTimeout(entry.timer);
    entry.users += 1;
    try {
      const thing = await entry.starting;
      let hasLeft = false;
      const leave = () => {
        if (hasLeft) return;
        hasLeft = true;
        this.#leave(key, entry);
      };
      return { thing, leave };
    } catch (error) {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
      throw error;
    }
  }

  #entryFor(key: string, start: () => Promise<Thing>): Entry<Thing> {
    const known = this.#entries.get(key);
    if (known && !known.thing?.isOver) return known;
    const entry: Entry<Thing> = { starting: start(), users: 0 };
    entry.starting.then(
      (thing) => {
        entry.thing = thing;
      },
      () => {},
    );
    this.#entries.set(key, entry);
    return entry;
  }

  #leave(key: string, entry: Entry<Thing>): void {
    entry.users -= 1;
    if (entry.users > 0) return;
    entry.timer = setTimeout(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
      // What cannot be ended now, the process host ends when the daemon stops.
      entry.thing?.end().catch(() => {});
    }, this.#options.lingerMs);
    // A daemon that stops does not wait for it.
    entry.timer.unref();
  }
}
