/** The turn that runs in a session, or is about to, and how it is stopped. */
import type { Session, SessionEvent } from "../../sdk/index.ts";
import type { SessionPrompts } from "./session-prompts.ts";

export class CurrentTurn {
  readonly #session: Session;
  readonly #prompts: SessionPrompts;
  readonly #onStopFailed: (error: unknown) => void;
  #id: string | undefined;
  readonly #ended = new Set<string>();
  #stopping: PromiseWithResolvers<void> | undefined;
  /** Nothing that waits begins by itself. */
  #isHeld = false;

  constructor(session: Session, prompts: SessionPrompts, onStopFailed: (error: unknown) => void) {
    this.#session = session;
    this.#prompts = prompts;
    this.#onStopFailed = onStopFailed;
  }

  /** A prompt that is on its way counts too. */
  get isBusy(): boolean {
    return this.hasBegun || (this.#prompts.sent.length > 0 && !this.#isHeld);
  }

  get hasBegun(): boolean {
    return this.#id !== undefined;
  }

  /** Resolved when it has stopped, or goes on all the same; undefined where nobody stops it. */
  get stopping(): Promise<void> | undefined {
    return this.#stopping?.promise;
  }

  /** Call it after the prompts have seen the event. */
  see(event: SessionEvent): void {
    if (event.type === "session.updated") this.#isHeld = event.queueHeld ?? this.#isHeld;
    if (!this.isBusy) this.#endStop();
    // Whatever names a turn happens in it, but for late news: what we see may begin inside one.
    if (event.turn !== undefined && !this.#ended.has(event.turn)) this.#id = event.turn;
    if (event.type === "turn.started" && this.#stopping) this.#sendStop();
    if (event.type !== "turn.ended") return;
    this.#ended.add(event.turn);
    this.#id = undefined;
    this.#endStop();
  }

  /** Resolves as `stopping` does. */
  stop(): Promise<void> {
    this.#stopping = Promise.withResolvers();
    const { promise } = this.#stopping;
    this.#sendStop();
    return promise;
  }

  #sendStop(): void {
    const stopped: Promise<unknown> =
      this.#id === undefined
        ? Promise.all(this.#prompts.sent.toReversed().map((prompt) => prompt.withdraw()))
        : this.#session.interrupt(this.#id, { hold: true });
    stopped.catch((error) => {
      this.#endStop();
      this.#onStopFailed(error);
    });
  }

  #endStop(): void {
    this.#stopping?.resolve();
    this.#stopping = undefined;
  }
}
