/** Waits until an agent has told which models and commands it offers. Some do so a moment after they are ready. */
import type { SessionState } from "../../core/session-state.ts";
import type { AgentConnection } from "./agent-connection.ts";

/** Not every agent tells what its capabilities promise. */
const MAX_WAIT_MS = 2000;

export class AgentOffers {
  readonly #state: SessionState;
  readonly #connection: Pick<AgentConnection, "capabilities" | "hasAgent">;
  #waiters: (() => void)[] = [];

  constructor(state: SessionState, connection: Pick<AgentConnection, "capabilities" | "hasAgent">) {
    this.#state = state;
    this.#connection = connection;
  }

  /** Resolves when they are known, the agent is gone, or after two seconds. */
  async known(): Promise<void> {
    if (!this.#isAwaited) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#waiters.push(resolve);
      timer = setTimeout(resolve, MAX_WAIT_MS);
    });
    clearTimeout(timer);
  }

  /** The agent said something, or is gone. */
  check(): void {
    if (this.#waiters.length === 0 || this.#isAwaited) return;
    for (const resolve of this.#waiters.splice(0)) resolve();
  }

  get #isAwaited(): boolean {
    const { models, commands } = this.#state;
    const { capabilities, hasAgent } = this.#connection;
    const isMissing = (capabilities.setModel && !models) || (capabilities.slashCommands && !commands);
    return hasAgent && isMissing;
  }
}
