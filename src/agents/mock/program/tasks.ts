/** Work in the background: it goes on while turns come and go, until it is done or somebody stops it. */
import type { Call } from "./call.ts";
import type { MockSession } from "./session.ts";
import { Speaker } from "./speaker.ts";

export interface BackgroundTask {
  readonly id: string;
  readonly signal: AbortSignal;
}

export class Tasks {
  readonly #running = new Map<string, AbortController>();

  begin(id: string): BackgroundTask {
    const controller = new AbortController();
    this.#running.set(id, controller);
    return { id, signal: controller.signal };
  }

  /** False when it does not run. */
  stop(id: string): boolean {
    const controller = this.#running.get(id);
    controller?.abort();
    return this.#running.delete(id);
  }

  /** Plays what the task does. If it is stopped, it says so and nothing more. */
  async play(
    session: MockSession,
    { id, signal }: BackgroundTask,
    call: Call,
    work: (speaker: Speaker) => Promise<void>,
  ): Promise<void> {
    try {
      await work(new Speaker(session, signal));
    } catch (error) {
      if (!signal.aborted) throw error;
      const output = { task: id, status: "stopped" };
      await session.output.send({ event: "call_corrected", call: call.id, output, exitCode: 143 });
      const summary = "It was stopped.";
      await session.output.send({ event: "task_finished", task: id, result: "stopped", summary });
    } finally {
      this.#running.delete(id);
    }
  }
}
