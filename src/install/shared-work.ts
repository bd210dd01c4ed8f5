/** Work that several callers share. It goes on while at least one of them wants it. */
import { untilAborted } from "../core/until-aborted.ts";

export interface WorkCaller<Progress> {
  readonly signal?: AbortSignal;
  onProgress?(progress: Progress): void;
}

type Start<Result, Progress> = (
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
) => Promise<Result>;

interface Running<Result, Progress> {
  readonly stop: AbortController;
  readonly result: Promise<Result>;
  readonly callers: Set<WorkCaller<Progress>>;
  /** For late joiners. */
  latest?: Progress;
}

export class SharedWork<Result, Progress> {
  readonly #running = new Map<string, Running<Result, Progress>>();

  /**
   * Joins the work under the key, or starts it. Rejects with the reason of the caller's own signal while the work goes
   * on for others.
   */
  async join(
    key: string,
    start: Start<Result, Progress>,
    caller: WorkCaller<Progress> = {},
  ): Promise<Result> {
    caller.signal?.throwIfAborted();
    let running = this.#running.get(key);
    while (running?.stop.signal.aborted) {
      // It is being cancelled; the next caller starts it again.
      await running.result.catch(() => {});
      caller.signal?.throwIfAborted();
      running = this.#running.get(key);
    }
    running ??= this.#start(key, start);
    running.callers.add(caller);
    if (running.latest !== undefined) caller.onProgress?.(running.latest);
    return untilAborted(running.result, caller.signal).finally(() => {
      running.callers.delete(caller);
      if (running.callers.size === 0) running.stop.abort(caller.signal?.reason);
    });
  }

  /** Stops everything and waits for its end. */
  async close(reason: unknown): Promise<void> {
    const all = [...this.#running.values()];
    for (const { stop } of all) stop.abort(reason);
    await Promise.allSettled(all.map(({ result }) => result));
  }

  #start(key: string, start: Start<Result, Progress>): Running<Result, Progress> {
    const stop = new AbortController();
    const callers = new Set<WorkCaller<Progress>>();
    const report = (progress: Progress) => {
      running.latest = progress;
      for (const caller of callers) caller.onProgress?.(progress);
    };
    // Begins in the next tick, when everything it reports to is in place.
    const result = Promise.resolve()
      .then(() => start(stop.signal, report))
      .finally(() => this.#running.delete(key));
    // Callers that left are not told how it ends.
    result.catch(() => {});
    const running: Running<Result, Progress> = { stop, result, callers };
    this.#running.set(key, running);
    return running;
  }
}
