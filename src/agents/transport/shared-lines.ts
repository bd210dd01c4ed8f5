/**
 * One process for many sessions: each line goes to the session it belongs to, and each session sees a process of its
 * own. The agent's router decides where a line belongs.
 */
import { InterlinguaError } from "../../core/error.ts";
import type { Line } from "../../process/line-splitter.ts";
import type { AgentProcess } from "../../process/process-host.ts";
import { Channel } from "./shared-channel.ts";
import type { Sharable } from "./shared-pool.ts";

export type Destination =
  | { readonly to: "channel"; readonly channel: string }
  | { readonly to: "everybody" }
  /** The session it concerned is gone. */
  | { readonly to: "nobody" }
  /** Its owner will be known soon; until then it is kept. */
  | { readonly to: "unknown" };

/** Reads only as much of a line as it needs to route it. Pure; the state is what it knows from earlier lines. */
export interface LineRouter<State> {
  readonly initial: State;
  /** Returns the same state if nothing new was learnt. */
  route(state: State, line: Line): readonly [State, Destination];
  /** The state after a channel was closed. */
  afterClose(state: State, channel: string): State;
  /** The answer to a request that nobody will answer; undefined for what is no request. */
  refuse(line: Line): string | undefined;
}

/** How many lines of unknown owners are kept. */
const MAX_UNKNOWN_LINES = 256;

export class SharedLines<State> implements Sharable {
  readonly #process: AgentProcess;
  readonly #router: LineRouter<State>;
  readonly #channels = new Map<string, Channel>();
  #state: State;
  #unknown: Line[] = [];
  #isOver = false;

  constructor(process: AgentProcess, router: LineRouter<State>) {
    this.#process = process;
    this.#router = router;
    this.#state = router.initial;
    void this.#read();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * A process as this session sees it: its own lines and those for everybody. Ending it only leaves the real one. It
   * dies with the real one, and is cut off when it leaves too much unread: a slow session costs the others nothing.
   */
  open(name: string): AgentProcess {
    if (this.#isOver)
      throw new InterlinguaError("agent_failed", "The agent's process has just ended; try again.", {
        keepsConversation: true,
      });
    const channel = new Channel(this.#process, () => this.#close(name));
    this.#channels.set(name, channel);
    return channel;
  }

  end(): Promise<void> {
    this.#isOver = true;
    return this.#process.end();
  }

  #close(name: string): void {
    this.#channels.delete(name);
    this.#state = this.#router.afterClose(this.#state, name);
  }

  async #read(): Promise<void> {
    try {
      for await (const batch of this.#process.lineBatches) for (const line of batch) this.#deliver(line);
    } catch {
      // A broken pipe: the exit record says why.
    }
    this.#isOver = true;
    const exit = await this.#process.exited;
    for (const channel of [...this.#channels.values()]) channel.exit(exit, this.#process.stderrTail());
  }

  #deliver(line: Line): void {
    const known = this.#state;
    const [state, destination] = this.#router.route(known, line);
    this.#state = state;
    this.#hand(line, destination);
    if (state !== known && this.#unknown.length > 0) this.#deliverUnknown();
  }

  /** Delivers kept lines whose owner may be known now. */
  #deliverUnknown(): void {
    const kept = this.#unknown;
    this.#unknown = [];
    for (const line of kept) {
      const [state, destination] = this.#router.route(this.#state, line);
      this.#state = state;
      this.#hand(line, destination);
    }
  }

  #hand(line: Line, destination: Destination): void {
    switch (destination.to) {
      case "channel": {
        const channel = this.#channels.get(destination.channel);
        return channel ? channel.push(line) : this.#refuse(line);
      }
      case "everybody":
        for (const channel of this.#channels.values()) channel.push(line);
        return;
      case "nobody":
        return this.#refuse(line);
      case "unknown":
        this.#unknown.push(line);
        if (this.#unknown.length > MAX_UNKNOWN_LINES) this.#refuse(this.#unknown.shift()!);
    }
  }

  /** Drops a line that concerns nobody. A request is refused, so that the agent does not wait for an answer. */
  #refuse(line: Line): void {
    const refusal = this.#router.refuse(line);
    if (refusal !== undefined) this.#process.write(refusal).catch(() => {});
  }
}
