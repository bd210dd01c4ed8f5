/** Makes a stop end the commands of the turn, whatever the agent itself does about them. */
import type { CommandOf } from "../../core/command.ts";
import type { Draft } from "../../core/draft.ts";
import type { RunningCommands } from "../../process/process-host.ts";

/** The agent may have started a command this long before we heard of the call: it writes, and we read later. */
const LATE_NEWS_MS = 200;
const MAX_CALLS = 1000;

/** Gives what was started within this time and still runs. */
export type FindCommands = (startedWithinMs: number) => Promise<RunningCommands>;

export class StoppedCommands {
  readonly #find: FindCommands;
  /** When we heard of the calls that are open, the oldest first. */
  readonly #openCalls = new Map<string, number>();
  /** The calls that are asked about, by the asks. */
  readonly #askedCalls = new Map<string, string>();
  #turnBegan = 0;
  #commands: RunningCommands | undefined;

  constructor(find: FindCommands) {
    this.#find = find;
  }

  get hasOpenCalls(): boolean {
    return this.#openCalls.size > 0;
  }

  /** The agent gets a prompt. What it has started until now are no commands of this turn. */
  beginTurn(): void {
    this.#turnBegan = performance.now();
  }

  /** Called before the agent is told to stop: afterwards its commands may be impossible to find. Never rejects. */
  async look(): Promise<void> {
    const [oldest] = this.#openCalls.values();
    if (oldest === undefined) return;
    // A process table that cannot be read is no reason not to stop the agent.
    const since = Math.max(this.#turnBegan, oldest - LATE_NEWS_MS);
    const commands = await this.#find(performance.now() - since).catch(() => undefined);
    // The turn may have ended meanwhile, and with it what was to be stopped.
    if (this.#openCalls.size > 0) this.#commands = commands;
  }

  observe(drafts: readonly Draft[]): void {
    for (const draft of drafts) {
      switch (draft.type) {
        case "tool.start":
        case "tool.input":
          this.#open(draft.call);
          break;
        case "ask.opened":
          if (draft.call !== undefined) this.#ask(draft.ask, draft.call);
          break;
        case "ask.closed":
          this.#askedCalls.delete(draft.ask);
          break;
        case "tool.output":
          if (!draft.preliminary) this.#openCalls.delete(draft.call);
          break;
        case "tool.failed":
        case "tool.denied":
        case "tool.abandoned":
          this.#openCalls.delete(draft.call);
          break;
        case "turn.ended":
          this.#endTurn();
          break;
      }
    }
  }

  /** A call that was declined runs nothing, and agents may never mention it again. */
  answer({ ask, effect }: CommandOf<"reply">): void {
    const call = this.#askedCalls.get(ask);
    this.#askedCalls.delete(ask);
    if (call !== undefined && (effect === "reject" || effect === "reject-always"))
      this.#openCalls.delete(call);
  }

  #ask(ask: string, call: string): void {
    this.#open(call);
    if (this.#askedCalls.size < MAX_CALLS) this.#askedCalls.set(ask, call);
  }

  #open(call: string): void {
    if (!this.#openCalls.has(call) && this.#openCalls.size < MAX_CALLS)
      this.#openCalls.set(call, performance.now());
  }

  #endTurn(): void {
    this.#openCalls.clear();
    this.#askedCalls.clear();
    const commands = this.#commands;
    this.#commands = undefined;
    // What outlasts SIGKILL is still there when the agent is ended, which then says so.
    commands?.end().catch(() => {});
  }
}
