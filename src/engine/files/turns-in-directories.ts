/** Turns of all sessions by where they work, to know whose files changed when several agents work in one directory. */
import { overlap } from "../../core/is-inside.ts";
import type { OpenTurn, SessionState } from "../../core/session-state.ts";
import type { Report } from "./attribute-changes.ts";

interface EndedTurn extends Report {
  readonly session: string;
  readonly endedAt: number;
}

/** A turn that overlaps with more than these before it is one among very many. */
const MAX_ENDED = 500;

export class TurnsInDirectories {
  readonly #ended: EndedTurn[] = [];
  /** Of the sessions in memory. */
  liveStates: () => Iterable<SessionState> = () => [];

  /** A turn is about to end. */
  note({ id, cwd }: SessionState, { edited = [] }: OpenTurn, endedAt: number): void {
    this.#ended.push({ session: id, cwd, edited: [...edited], endedAt });
    if (this.#ended.length > MAX_ENDED) this.#ended.shift();
  }

  /** What the agents of other sessions said that worked on the same files since then. */
  beside({ id, cwd }: SessionState, since: number): Report[] {
    const ended = this.#ended.filter(
      (turn) => turn.session !== id && turn.endedAt >= since && overlap(turn.cwd, cwd),
    );
    const running = [...this.liveStates()].filter(
      (state) => state.id !== id && state.turn && overlap(state.cwd, cwd),
    );
    return [...ended, ...running.map((state) => ({ cwd: state.cwd, edited: state.turn?.edited ?? [] }))];
  }
}
