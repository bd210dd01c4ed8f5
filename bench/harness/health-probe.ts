/** Asks a daemon for its health again and again, from a thread of its own, and notes how long the slowest answer took. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";

export interface Probed {
  readonly answers: number;
  readonly worstMs: number;
}

export class HealthProbe implements AsyncDisposable {
  readonly #worker: Worker;

  private constructor(worker: Worker) {
    this.#worker = worker;
  }

  static async start(url: string): Promise<HealthProbe> {
    const worker = new Worker(new URL("./health-probe-worker.ts", import.meta.url), { workerData: { url } });
    await once(worker, "message");
    return new HealthProbe(worker);
  }

  /** The slowest answer while `action` runs. One that is asked for before its end counts too. */
  async during(action: () => Promise<unknown>): Promise<Probed> {
    await this.#take();
    await action();
    return this.#take();
  }

  /** What was measured since the last call. */
  async #take(): Promise<Probed> {
    this.#worker.postMessage("take");
    const [probed] = (await once(this.#worker, "message")) as [Probed];
    return probed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }
}
