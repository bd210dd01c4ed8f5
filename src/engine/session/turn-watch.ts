/** Watches for turns that do not stop or fall silent, and for idle agents. */
import { nextPrompt, type SessionState } from "../../core/session-state.ts";
import type { AgentConnection } from "../agent/agent-connection.ts";
import type { EngineLimits } from "../limits.ts";
import type { Timers } from "./timers.ts";

export interface TurnWatchOptions {
  state: SessionState;
  connection: AgentConnection;
  timers: Timers;
  limits: EngineLimits;
  now(): number;
  interrupt(by: string): void;
  /** The agent has been idle for long. */
  idle(): void;
}

export class TurnWatch {
  readonly #options: TurnWatchOptions;
  /** The turn that is watched. */
  #turn: string | undefined;

  constructor(options: TurnWatchOptions) {
    this.#options = options;
  }

  /** An agent that does not stop in time is ended. That it has stopped may stand behind a few long lines. */
  stopping(turn: string, longLines = 3): void {
    const { state, connection, timers, limits } = this.#options;
    timers.set("stop", limits.stopGraceMs, () => {
      if (state.turn?.id !== turn) return;
      const { taking } = connection;
      if (taking && longLines > 0) {
        void taking.then(
          () => state.turn?.id === turn && this.stopping(turn, longLines - 1),
          () => {},
        );
        return;
      }
      const message = "The agent did not stop in time; the daemon ended its process.";
      connection.notice("warning", "stop", message);
      connection.kill({ code: "stopped_by_force", message });
    });
  }

  /** Reports a turn that has been silent for long, and stops it if configured. Set once per turn. */
  running(): void {
    const { state, connection, limits, timers, interrupt } = this.#options;
    const turn = state.turn?.id;
    if (turn === this.#turn) return;
    this.#turn = turn;
    timers.clear("idle");
    this.#arm("quiet", limits.turnQuietMs, (silence) =>
      connection.notice("warning", "quiet", `Nothing was heard from the agent for ${silence}.`),
    );
    this.#arm("quiet stop", limits.turnQuietStopMs, () =>
      interrupt("daemon: the turn was silent for too long"),
    );
  }

  /** True once when the turn that was watched is over. */
  noticeEnd(): boolean {
    const { state } = this.#options;
    if (state.turn || this.#turn === undefined) return false;
    this.#turn = undefined;
    return true;
  }

  /** The agent is gone, and its turn with it. */
  forget(): void {
    this.#turn = undefined;
  }

  /** The agent's own turn, once it has fallen silent: it no longer blocks a prompt. */
  get silentTurn(): string | undefined {
    const { state, connection } = this.#options;
    const { turn, asks, calls } = state;
    if (turn?.origin !== "agent" || !connection.isReady || this.#untilSilent > 0) return undefined;
    const isBusy = asks.size > 0 || [...calls.values()].some((call) => call.inTurn && !call.settled);
    return isBusy ? undefined : turn.id;
  }

  /** Calls `look` when the agent's own turn may have fallen silent. */
  awaitSilence(look: () => void): void {
    const { timers, limits } = this.#options;
    const left = this.#untilSilent;
    timers.set("agent turn", Math.max(1, left > 0 ? left : limits.agentTurnQuietMs), look);
  }

  get #untilSilent(): number {
    const { connection, limits, now } = this.#options;
    return limits.agentTurnQuietMs - (now() - connection.lastHeardAt);
  }

  /** The agent is idle: after a while it is ended, unless it has background tasks. */
  resting(): void {
    const { state, connection, timers, limits, idle } = this.#options;
    for (const name of ["stop", "quiet", "quiet stop"]) timers.clear(name);
    if (!connection.hasAgent) return;
    timers.set("idle", limits.idleDetachMs, () => {
      const isWorking = [...state.tasks.values()].some((task) => !task.implicit);
      if (state.turn || nextPrompt(state) || isWorking) this.resting();
      else idle();
    });
  }

  #arm(name: string, limit: number, act: (silence: string) => void): void {
    const { state, connection, timers, now } = this.#options;
    timers.set(name, limit, () => {
      if (!state.turn) return;
      const silence = now() - connection.lastHeardAt;
      const isWaiting = state.asks.size > 0;
      if (silence >= limit && !isWaiting) return act(`${Math.round(silence / 1000)} seconds`);
      this.#arm(name, isWaiting ? limit : limit - silence, act);
    });
  }
}
