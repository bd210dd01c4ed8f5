/**
 * Packs tails into blocks in the background, one session at a time and with a delay: a turn is often followed by the
 * next one, which must not wait for the packing and can be packed with it.
 */
import { setImmediate } from "node:timers/promises";
import { isDamage } from "./damaged-data.ts";

/** After a failure (mostly a full disk) the rows simply stay; an immediate retry would only waste time. */
const PAUSE_AFTER_FAILURE_MS = 5000;

const DELAY_MS = 1000;

export interface SealerOptions {
  /** How long a tail may wait for what follows it. */
  sealDelayMs?: number;
  /** Called if packing in the background failed. Nothing is lost, but the log takes more space. */
  onSealError?(error: unknown): void;
  /** Called with a session whose tail is damaged. It is not packed until the next start. */
  onDamage?(session: number, error: unknown): void;
}

/** A session whose tail should be packed. */
export interface Sealable {
  session: number;
  /** At once, because it has become long. */
  isLong: boolean;
}

/** How a store packs. */
export interface TailPacker {
  /** Packs the tail of one session. Never called twice at once. Throws and changes nothing if it is damaged. */
  seal(session: number): Promise<void>;
  /** The sessions that have a tail. */
  findLeftovers(): number[] | Promise<number[]>;
}

export class Sealer {
  readonly #packer: TailPacker;
  readonly #options: SealerOptions;
  readonly #waiting = new Set<number>();
  readonly #damaged = new Set<number>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #pausedUntil = 0;

  constructor(packer: TailPacker, options: SealerOptions = {}) {
    this.#packer = packer;
    this.#options = options;
  }

  /** Asks for a session's tail to be packed, now or in a moment. Asking again while it waits changes nothing. */
  request(session: number, isUrgent = false): void {
    if (this.#damaged.has(session)) return;
    this.#waiting.add(session);
    if (this.#running || performance.now() < this.#pausedUntil) return;
    if (isUrgent) return this.#start();
    if (this.#timer) return;
    this.#timer = setTimeout(() => this.#start(), this.#options.sealDelayMs ?? DELAY_MS);
    this.#timer.unref();
  }

  /** What a daemon that died, or a disk that was full, left unpacked. */
  async requestLeftovers(): Promise<void> {
    try {
      for (const session of await this.#packer.findLeftovers()) this.request(session);
    } catch (error) {
      // It only takes more space; readers of the damaged sessions get an error.
      this.#options.onSealError?.(error);
    }
  }

  /** Packs what waits, unless that has just failed. */
  async finish(): Promise<void> {
    await this.#running;
    if (performance.now() >= this.#pausedUntil) this.#start();
    await this.#running;
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting.size > 0) this.#running = this.#run();
  }

  async #run(): Promise<void> {
    // A session asked for while the loop runs is still reached by it; after it, a new run begins.
    for (const session of this.#waiting) {
      // In a later turn of the event loop than the write, and one session in each: thousands may wait, and a commit for each.
      await setImmediate();
      this.#waiting.delete(session);
      try {
        await this.#packer.seal(session);
      } catch (error) {
        // The other sessions need not wait for a permanent failure.
        if (isDamage(error, "write")) {
          this.#damaged.add(session);
          this.#options.onDamage?.(session, error);
          continue;
        }
        this.#waiting.add(session);
        this.#pausedUntil = performance.now() + PAUSE_AFTER_FAILURE_MS;
        this.#options.onSealError?.(error);
        break;
      }
    }
    this.#running = undefined;
  }
}
