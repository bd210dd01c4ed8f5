/** When the garbage of checkpoints is collected: in the background now and then, after a deletion, and on request. */
import type { CollectedGarbage, Workspace } from "../../core/workspace.ts";
import type { EngineLogger } from "../engine-services.ts";

/** The first one after a start, so that a daemon that never runs for long has one too. */
const FIRST_MS = 60_000;
/** After a deletion; more of them come together. */
const SOON_MS = 1000;

export interface GarbageScheduleOptions {
  workspace: Pick<Workspace, "collectGarbage">;
  logger: EngineLogger;
  /** 0: only after deletions and on request. */
  intervalMs: number;
}

export class GarbageSchedule {
  readonly #options: GarbageScheduleOptions;
  readonly #abort = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #soon: NodeJS.Timeout | undefined;
  #running: Promise<CollectedGarbage> | undefined;

  constructor(options: GarbageScheduleOptions) {
    this.#options = options;
    const { intervalMs } = options;
    if (intervalMs > 0) this.#schedule(Math.min(FIRST_MS, intervalMs));
  }

  /** Who calls while one runs gets the answer of that one. */
  run(): Promise<CollectedGarbage> {
    this.#running ??= this.#options.workspace.collectGarbage(this.#abort.signal).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Something can be deleted. */
  soon(): void {
    if (this.#abort.signal.aborted || this.#soon) return;
    this.#soon = setTimeout(async () => {
      // One that runs may have passed the directory already.
      await this.#running?.catch(() => {});
      this.#soon = undefined;
      await this.#runQuietly();
    }, SOON_MS).unref();
  }

  /** Resolves when nothing of it runs any more. */
  async stop(): Promise<void> {
    this.#abort.abort(new Error("the daemon is stopping"));
    clearTimeout(this.#timer);
    clearTimeout(this.#soon);
    await this.#running?.catch(() => {});
  }

  #schedule(ms: number): void {
    this.#timer = setTimeout(async () => {
      await this.#runQuietly();
      if (!this.#abort.signal.aborted) this.#schedule(this.#options.intervalMs);
    }, ms).unref();
  }

  async #runQuietly(): Promise<void> {
    if (this.#abort.signal.aborted) return;
    try {
      const { failed } = await this.run();
      for (const each of failed)
        this.#options.logger.warn({ ...each }, "the checkpoints of a directory could not be looked after");
    } catch (error) {
      if (!this.#abort.signal.aborted)
        this.#options.logger.warn({ err: error }, "old checkpoints could not be deleted");
    }
  }
}
