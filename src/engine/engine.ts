/**
 * What the engine offers to the server: commands on sessions, and notifications of commits. Reads of the log go to the store.
 */

import type { EncodedEvent } from "../core/encoded-event.ts";
import type { Principal } from "../core/principal.ts";
import type { SessionSummary } from "../core/session-summary.ts";
import type { CommandAnswer, CommandInput, CommandName } from "../protocol/commands/index.ts";
import type { UnreadCount } from "./agent/unread-counts.ts";
import type { Histogram } from "./commits/commit-times.ts";
import type { EndedTurns } from "./session/turn-endings.ts";

/**
 * Carries out a command for a caller. Commands that begin a prompt or change how a session works throw `forbidden` where that
 * depends on whether its agent asks, and the caller lacks the right.
 *
 * @example await engine.run("interrupt", { session: "demo" }, caller);
 */
export type RunCommand = <Name extends CommandName>(
  command: Name,
  input: CommandInput<Name>,
  caller: Principal,
) => Promise<CommandAnswer<Name>>;

export interface Engine {
  readonly run: RunCommand;

  /**
   * Calls `listener` with every batch of a session right after its commit, in order, from now on. Calls `onDeleted`
   * when the session is removed, and `onCutShort` with the last event that is left when the database has lost some. Where
   * several nodes share a store, a batch may be missing or come later than from the store: who finds a gap before the next one
   * reads the log.
   */
  follow(
    session: string,
    listener: (events: readonly EncodedEvent[]) => void,
    onDeleted?: () => void,
    onCutShort?: (head: number) => void,
  ): Follower;
  /**
   * Calls `listener` for every session that changes, with what was committed; with `deleted` when one is removed. Of sessions at
   * other nodes there are no events. Calls `onGap` where changes there may have been missed, or a log became shorter: what is
   * shown is read again.
   */
  followAll(
    listener: (
      change: SessionSummary | { session: string; deleted: true },
      events: readonly EncodedEvent[],
    ) => void,
    onGap?: () => void,
  ): () => void;

  health(): { ok: boolean; problem?: string };
  stats(): EngineStats;
  /** Stops taking commands, ends agents, commits what is left. */
  close(): Promise<void>;
}

export interface Follower {
  stop(): void;
}

export interface EngineStats {
  liveSessions: number;
  /** Agents that run, by their names. */
  liveAgents: Readonly<Record<string, number>>;
  attachedAgents: number;
  pendingBytes: number;
  committedEvents: number;
  commits: number;
  failedCommits: number;
  commitTimes: Histogram;
  /** The share of the last ten seconds in which a commit was under way. */
  commitSaturation: number;
  /** Appends that the store refused because another node has the session. */
  refusedAppends: number;
  unknownNative: number;
  /** Messages and fields of agents that nothing uses. */
  unread: (UnreadCount & { agent: string })[];
  /** Turns that ended, by agent and outcome. */
  turns: EndedTurns[];
}
