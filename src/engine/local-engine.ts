/** The engine of one daemon: what its commands share, and how it starts and ends. The commands are in `commands/`. */

import type { EncodedEvent } from "../core/encoded-event.ts";
import type { Principal } from "../core/principal.ts";
import type { SessionSummary } from "../core/session-summary.ts";
import {
  type CommandAnswer,
  type CommandInput,
  type CommandName,
  isCommand,
} from "../protocol/commands/index.ts";
import { shuttingDown, unknownCommand } from "../protocol/refusals.ts";
import { AgentList } from "./agent/agent-list.ts";
import type { CommandParts, Implementation } from "./commands/command-parts.ts";
import { implementations } from "./commands/index.ts";
import type { Engine, EngineStats } from "./engine.ts";
import type { Services } from "./engine-services.ts";
import { FileHistory } from "./files/file-history.ts";
import { FileRestores } from "./files/file-restores.ts";
import { GarbageSchedule } from "./files/garbage-schedule.ts";
import { KeyedQueue } from "./keyed-queue.ts";
import { drainSessions } from "./ownership/drain-sessions.ts";
import { Rewinds } from "./prompts/rewinds.ts";
import { recoverSessions } from "./session/recover-sessions.ts";
import { SessionDirectory } from "./session/session-directory.ts";
import { storeUnavailable } from "./session/session-log.ts";
import { settledWithin } from "./settled-within.ts";

/** How long a restore of files may take when the daemon stops. */
const RESTORE_GRACE_MS = 5000;

export class LocalEngine implements Engine {
  readonly #services: Services;
  readonly #sessions: SessionDirectory;
  readonly #garbage: GarbageSchedule | undefined;
  readonly #parts: CommandParts;
  #closing = false;

  constructor(services: Services) {
    this.#services = services;
    const sessions = new SessionDirectory(services);
    const rewinds = new Rewinds(services.store);
    const history = new FileHistory(services, sessions);
    const { workspace, logger, limits } = services;
    this.#sessions = sessions;
    this.#garbage =
      workspace && new GarbageSchedule({ workspace, logger, intervalMs: limits.checkpointUpkeepMs });
    this.#parts = {
      ...{ services, sessions, history, rewinds },
      agents: new AgentList(services.agents, services.now),
      restores: new FileRestores({ services, sessions, history, rewinds }),
      garbage: this.#garbage,
      lives: new KeyedQueue(),
      prompts: new KeyedQueue(),
      rewrites: new KeyedQueue(),
      run: (command, input, caller) => this.run(command, input, caller),
      assertOpen: () => this.#assertOpen(),
      assertReady: () => this.#assertReady(),
    };
    services.slots.makeRoom = () => void sessions.restLongestIdle();
  }

  async recover(): Promise<void> {
    const { ownership, commit } = this.#services;
    ownership.listen({
      suspended: () => commit.tellWaiting(),
      lost: () => this.#sessions.abandonAll(),
      orphaned: (sessions) => this.#takeUp(sessions),
    });
    await this.#takeUp(await ownership.findOrphans());
  }

  async #takeUp(sessions: readonly string[]): Promise<readonly string[]> {
    return this.#closing ? [] : recoverSessions(this.#services, this.#sessions, sessions);
  }

  async run<Name extends CommandName>(
    command: Name,
    input: CommandInput<Name>,
    caller: Principal,
  ): Promise<CommandAnswer<Name>> {
    if (!isCommand(command)) throw unknownCommand(command);
    const implementation: Implementation<Name> = implementations[command];
    return implementation(this.#parts, input, caller);
  }

  follow(
    session: string,
    listener: (events: readonly EncodedEvent[]) => void,
    onDeleted?: () => void,
    onCutShort?: (head: number) => void,
  ) {
    return this.#services.listeners.follow(session, listener, onDeleted, onCutShort);
  }

  followAll(
    listener: (
      change: SessionSummary | { session: string; deleted: true },
      events: readonly EncodedEvent[],
    ) => void,
    onGap?: () => void,
  ): () => void {
    return this.#services.listeners.followAll(listener, onGap);
  }

  health(): { ok: boolean; problem?: string } {
    const { problem } = this.#services.commit;
    return problem === undefined ? { ok: true } : { ok: false, problem };
  }

  stats(): EngineStats {
    const { commit, counters, endings, slots } = this.#services;
    return {
      liveSessions: this.#sessions.size,
      liveAgents: this.#sessions.liveAgents(),
      attachedAgents: slots.taken,
      pendingBytes: commit.pendingBytes,
      committedEvents: commit.counters.events,
      commits: commit.counters.commits,
      failedCommits: commit.counters.failed,
      commitTimes: commit.times.histogram,
      commitSaturation: commit.times.saturation,
      refusedAppends: commit.counters.refused,
      unknownNative: counters.unknownNative,
      unread: counters.unread.all(),
      turns: endings.counts(),
    };
  }

  /**
   * All sessions go to other nodes. Their turns may end, as long as `limits.drainMs`; commands for them are taken until
   * then. Ownership claims nothing any more. Resolves when none is left. Never rejects.
   */
  async drain(): Promise<void> {
    await drainSessions({
      sessions: this.#sessions,
      limitMs: this.#services.limits.drainMs,
      logger: this.#services.logger,
    });
  }

  async close(): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    this.#sessions.stop();
    await this.#garbage?.stop();
    // If the disk is full, what cannot be written now is given up.
    if (this.#services.commit.problem !== undefined) this.#services.commit.close();
    // One that does not end in time is finished at the next start.
    await settledWithin(this.#services.inRestore.endings, RESTORE_GRACE_MS);
    const reason = { code: "daemon_restarted", message: "The daemon was stopped during this turn." };
    const actors = await this.#sessions.all();
    await Promise.all(actors.map((actor) => actor.stop(reason)));
    this.#services.commit.close();
    await this.#services.commit.settled();
    // The store is closed next. What ends later, such as a checkpoint, is not written.
    for (const { log } of actors) log.end(shuttingDown());
  }

  #assertOpen(): void {
    if (this.#closing) throw shuttingDown();
  }

  #assertReady(): void {
    this.#assertOpen();
    const { problem } = this.#services.commit;
    if (problem !== undefined) throw storeUnavailable(problem);
  }
}
