/**
 * Lets few reads of foreign files run at once. A file system that does not answer (a network disk, FUSE) blocks a thread of
 * Node's pool for each read: with a gate one mount blocks one thread, all mounts together block two of the four, and callers
 * get an error after a time.
 */
import { NetworkMounts } from "./network-mount.ts";

const MAX_AT_ONCE = 2;
const DEFAULT_DEADLINE_MS = 10_000;

export interface ReadGateOptions {
  readonly deadlineMs?: number;
  /** The mount that answers or hangs as a whole; undefined where only the path itself is known to hang. */
  findMount?(path: string): string | undefined;
}

export class ReadGate {
  readonly #deadlineMs: number;
  readonly #findMount: (path: string) => string | undefined;
  readonly #waiting: { enter(): void; refuse(): void }[] = [];
  #running = 0;
  /** The work that runs, by its path, or by its mount. */
  readonly #current = new Map<string, Promise<unknown>>();
  /** Paths and mounts that do not answer, and the path that was asked. Nobody asks for what is below them meanwhile. */
  readonly #hung = new Map<string, string>();

  constructor({ deadlineMs = DEFAULT_DEADLINE_MS, findMount }: ReadGateOptions = {}) {
    this.#deadlineMs = deadlineMs;
    const mounts = new NetworkMounts();
    this.#findMount = findMount ?? ((path) => mounts.find(path));
  }

  /** Waits for its turn. Rejects when the work takes too long, and at once while hung work fills the gate. */
  async run<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
    const key = this.#findMount(path) ?? path;
    // One at a time of each path or mount: many callers at one that does not answer take one thread.
    for (let before = this.#current.get(key); before; before = this.#current.get(key)) await before;
    this.#assertAnswers(path);
    const running = this.#enter(path, key, work);
    const settled = running.then(
      () => {},
      () => {},
    );
    this.#current.set(key, settled);
    return running.finally(() => {
      if (this.#current.get(key) === settled) this.#current.delete(key);
    });
  }

  async #enter<Result>(path: string, key: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#running < MAX_AT_ONCE) this.#running += 1;
    else
      await new Promise<void>((resolve, reject) =>
        this.#waiting.push({ enter: resolve, refuse: () => reject(this.#fullError(path)) }),
      );
    const working = work().finally(() => {
      this.#hung.delete(key);
      const next = this.#waiting.shift();
      if (next) next.enter();
      else this.#running -= 1;
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        this.#hung.set(key, path);
        reject(new HungError(path));
        if (this.#isFull) for (const each of this.#waiting.splice(0)) each.refuse();
      }, this.#deadlineMs);
    });
    return Promise.race([working, late]).finally(() => clearTimeout(timer));
  }

  get #isFull(): boolean {
    return this.#hung.size === MAX_AT_ONCE;
  }

  #assertAnswers(path: string): void {
    for (const [key, hung] of this.#hung)
      if (path === key || path.startsWith(`${key}/`)) throw new HungError(path, [hung]);
    if (this.#isFull) throw this.#fullError(path);
  }

  #fullError(path: string): HungError {
    return new HungError(path, [...this.#hung.values()]);
  }
}

/** A file system does not answer. */
export class HungError extends Error {
  override readonly name = "HungError";

  /** @param hung The paths that do not answer, and that the path has to wait for. */
  constructor(path: string, hung: readonly string[] = []) {
    const others = hung.filter((other) => other !== path);
    const at = others.length > 0 ? ` at ${others.join(" and ")}` : "";
    super(`${path} cannot be read: a file system does not answer${at}. Check network disks.`);
  }
}
