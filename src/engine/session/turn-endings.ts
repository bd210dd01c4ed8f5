/**
 * How turns and agents ended, for whoever runs the daemon: counts for the metrics, and one line of the daemon's log for each
 * turn that did not complete and each agent that crashed outside a turn. Lines have ids and codes, nothing that anybody said.
 */
import type { EventOf, SessionEvent, TurnOutcome } from "../../core/event.ts";
import type { SessionState } from "../../core/session-state.ts";
import type { EngineLogger } from "../engine-services.ts";

/** An agent may put anything where a code belongs. Text is left out. */
const CODE = /^[\w.:-]{1,64}$/;
const NO_CODE = "other";

const MAX_NAME_LENGTH = 100;

export interface EndedTurns {
  agent: string;
  outcome: TurnOutcome;
  count: number;
}

/** What is reported of one ending, once its event is committed. */
export interface Ending {
  /** Of its last event. */
  seq: number;
  session: string;
  agent: string;
  turn?: EventOf<"turn.ended">;
  /** How the agent's process ended, where that ended the turn, or where there was none. */
  detached?: EventOf<"session.detached">;
  /** Who stopped the turn. */
  by?: string;
  /** Why there is no exit to report: the daemon that ran the agent is gone. */
  lostWith?: string;
}

/** Finds the endings in the events of a session, in their order. */
export class EndingFinder {
  readonly #state: Pick<SessionState, "id" | "agent">;
  #stopped: { turn: string; by: string } | undefined;

  /** With the state of a log that may have been read from the store. */
  constructor(state: Pick<SessionState, "id" | "agent" | "turn">) {
    this.#state = state;
    const { turn } = state;
    if (turn?.stoppingBy !== undefined) this.#stopped = { turn: turn.id, by: turn.stoppingBy };
  }

  /** `events` are those of one change: an agent that is gone ends its turn in the same one. */
  find(events: readonly SessionEvent[], lostWith?: string): Ending[] {
    const endings: Ending[] = [];
    for (const event of events) {
      if (event.type === "turn.stopping") this.#stopped = event;
      else if (event.type === "turn.ended") endings.push(this.#turnEnding(event));
      else if (event.type === "session.detached") {
        const turn = endings.at(-1);
        if (turn && turn.turn?.outcome !== "completed")
          Object.assign(turn, { detached: event, seq: event.seq });
        else if (event.reason === "crash") endings.push({ ...this.#about(event), detached: event, lostWith });
      }
    }
    return endings;
  }

  #turnEnding(turn: EventOf<"turn.ended">): Ending {
    const by = this.#stopped?.turn === turn.turn ? this.#stopped.by : undefined;
    return { ...this.#about(turn), turn, by };
  }

  #about({ seq }: SessionEvent) {
    return { seq, session: this.#state.id, agent: this.#state.agent };
  }
}

export class TurnEndings {
  readonly #logger: EngineLogger;
  /** By agent and outcome. Both are few: agents are those of the config. */
  readonly #counts = new Map<string, EndedTurns>();

  constructor(logger: EngineLogger) {
    this.#logger = logger;
  }

  report(ending: Ending): void {
    const { session, agent, turn, detached, by, lostWith } = ending;
    if (turn) this.#count(agent, turn.outcome);
    if (turn?.outcome === "completed") return;
    const code = turn ? turn.error?.code : lostWith;
    const fields = {
      session,
      ...(turn && { turn: turn.turn }),
      agent,
      ...(turn && { outcome: turn.outcome }),
      ...(code !== undefined && { code: CODE.test(code) ? code : NO_CODE }),
      ...(detached?.code != null && { exit: detached.code }),
      ...(detached?.signal != null && { signal: detached.signal }),
      ...(by !== undefined && { by: shortened(by) }),
      ...(turn && { durationMs: turn.durationMs }),
    };
    this.#logger.warn(fields, turn ? "a turn did not complete" : "an agent crashed outside a turn");
  }

  counts(): EndedTurns[] {
    return [...this.#counts.values()];
  }

  #count(agent: string, outcome: TurnOutcome): void {
    const key = `${outcome} ${agent}`;
    const known = this.#counts.get(key);
    if (known) known.count += 1;
    else this.#counts.set(key, { agent, outcome, count: 1 });
  }
}

function shortened(text: string): string {
  return text.length > MAX_NAME_LENGTH ? `${text.slice(0, MAX_NAME_LENGTH - 1)}…` : text;
}
