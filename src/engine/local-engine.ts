/** The engine of one daemon: finds the session a command is for and lets its actor do the rest. */

import type { EncodedEvent } from "../core/encoded-event.ts";
import { InterlinguaError } from "../core/error.ts";
import type { Principal } from "../core/principal.ts";
import type { InstallProgress } from "../core/program.ts";
import type { PromptPart } from "../core/prompt-part.ts";
import type { SessionSummary } from "../core/session-summary.ts";
import type { AskQuery } from "../core/store.ts";
import type { DirectoryUsage, FileDifference } from "../core/workspace.ts";
import { sessionNotFound } from "../protocol/refusals.ts";
import { acceptPrompt, assertAgentPossible, assertPromptPossible } from "./accept-prompt.ts";
import { AgentList } from "./agent-list.ts";
import { shownSettings } from "./agent-setting-values.ts";
import { askView } from "./ask-view.ts";
import type { CheckpointView } from "./checkpoint-history.ts";
import { CheckpointUpkeep } from "./checkpoint-upkeep.ts";
import { createSession } from "./create-session.ts";
import type {
  AgentView,
  AskReply,
  AskView,
  ChangesQuery,
  CreateSession,
  Engine,
  EngineStats,
  ForkSession,
  InstalledAgent,
  PromptReceipt,
  QueuedView,
  RegenerateTarget,
  RestoreAnswer,
  RestoreFiles,
  SendPrompt,
  SessionDetails,
  UpdateSession,
} from "./engine.ts";
import type { Services } from "./engine-services.ts";
import { errorText } from "./error-text.ts";
import { FileHistory } from "./file-history.ts";
import { forkSession } from "./fork-session.ts";
import { addForkWorktree, type ForkWorktree, worktreeNotice } from "./fork-worktree.ts";
import { isRetryable } from "./group-commit.ts";
import { KeyedQueue } from "./keyed-queue.ts";
import { changeQueued, queuedViews, withdrawQueued } from "./queue-commands.ts";
import { replyToAsk } from "./reply-to-ask.ts";
import { promptToRepeat, rewriteHistory } from "./rewrite-history.ts";
import type { SessionActor } from "./session-actor.ts";
import { SessionDirectory } from "./session-directory.ts";
import { storeUnavailable } from "./session-log.ts";
import { settledWithin } from "./settled-within.ts";

/** How long a restore of files may take when the daemon stops. */
const RESTORE_GRACE_MS = 5000;

export class LocalEngine implements Engine {
  readonly #services: Services;
  readonly #sessions: SessionDirectory;
  readonly #agents: AgentList;
  readonly #files: FileHistory;
  readonly #upkeep: CheckpointUpkeep | undefined;
  /** Creation and deletion of a session never overlap. */
  readonly #lives = new KeyedQueue();
  readonly #prompts = new KeyedQueue();
  readonly #rewinds = new KeyedQueue();
  /** Edits and regenerations of a session, each of which is several commands. */
  readonly #rewrites = new KeyedQueue();
  #closing = false;

  constructor(services: Services) {
    this.#services = services;
    this.#agents = new AgentList(services.agents, services.now);
    this.#sessions = new SessionDirectory(services);
    this.#files = new FileHistory({
      services,
      sessions: this.#sessions,
      rewind: (session, before) => this.rewind(session, before),
    });
    const { workspace, logger, limits } = services;
    this.#upkeep =
      workspace && new CheckpointUpkeep({ workspace, logger, intervalMs: limits.checkpointUpkeepMs });
    services.slots.makeRoom = () => void this.#sessions.restLongestIdle();
  }

  async recover(): Promise<void> {
    const ids = await this.#services.store.unfinishedSessions();
    const release = await this.#holdDirectories(ids);
    await this.#takeUp(ids).finally(release);
  }

  /** One of the sessions may have been restoring files: until all are taken up, no prompt begins in their directories. */
  async #holdDirectories(ids: readonly string[]): Promise<() => void> {
    const { store, workspace, inRestore } = this.#services;
    if (!workspace) return () => {};
    const directories = new Set<string>();
    for (const id of ids) {
      const row = await store.getSession(id).catch(() => undefined);
      if (row) directories.add(row.cwd);
    }
    const releases = [...directories].map((directory) => inRestore.hold(directory));
    return () => {
      for (const release of releases) release();
    };
  }

  async #takeUp(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      try {
        const actor = await this.#sessions.get(id);
        await actor.log.flush();
      } catch (error) {
        this.#services.logger.error({ err: error, session: id }, "a session could not be taken up again");
      }
    }
  }

  agents(): AgentView[] {
    return this.#agents.all();
  }

  async agent(name: string): Promise<AgentView> {
    const view = await this.#agents.probe(name);
    return { ...view, unread: this.#services.counters.unread.of(name) };
  }

  async install(name: string, onProgress?: (progress: InstallProgress) => void): Promise<InstalledAgent> {
    if (this.#closing) throw shuttingDown();
    return this.#agents.install(name, this.#services.programs, onProgress);
  }

  async createSession(request: CreateSession): Promise<{ session: SessionDetails; created: boolean }> {
    this.#assertReady();
    const id = request.id ?? this.#services.newId("ses");
    return this.#lives.run(id, () => this.#create(id, request));
  }

  async #create(id: string, request: CreateSession): Promise<{ session: SessionDetails; created: boolean }> {
    const { env } = request;
    const { name: agent } = this.#agents.get(request.agent);
    const settings = await this.#agents.settle(agent, request);
    const named = { ...request, agent };
    const actor = await createSession(this.#services, this.#sessions, id, named, settings);
    if (actor) return { session: await this.#details(actor), created: true };
    if (env) await this.updateSession(id, { env });
    return { session: await this.getSession(id), created: false };
  }

  async getSession(id: string): Promise<SessionDetails> {
    return this.#details(await this.#sessions.get(id));
  }

  async attach(id: string): Promise<SessionDetails> {
    this.#assertReady();
    const actor = await this.#sessions.get(id);
    await assertAgentPossible(this.#services, this.#sessions, actor);
    try {
      await actor.attach();
    } catch (error) {
      this.#assertOpen();
      throw error;
    }
    return this.#details(actor);
  }

  async updateSession(id: string, change: UpdateSession): Promise<SessionDetails> {
    if (change.status === "closed") this.#assertOpen();
    else this.#assertReady();
    const actor = await this.#sessions.get(id);
    await actor.update(change, () => this.#agents.settle(actor.state.agent, change));
    if (change.env) this.#sessions.addEnvironment(id, change.env);
    if (actor.state.closed) this.#sessions.forgetEnvironment(id);
    return this.#details(actor);
  }

  async deleteSession(id: string): Promise<void> {
    this.#assertOpen();
    await this.#lives.run(id, () => this.#delete(id));
  }

  async #delete(id: string): Promise<void> {
    const actor = await this.#sessions.get(id).catch((error) => this.#assertDeletable(error));
    try {
      await (actor ? actor.destroy(sessionNotFound(id)) : this.#release(id));
      await this.#releaseWorktree(id);
      // An append that is under way comes before the deletion, and nothing more is written of a log that has ended.
      await this.#services.store.deleteSession(id);
      await this.#forgetFiles(id);
    } catch (error) {
      throw isRetryable(error) ? storeUnavailable(errorText(error)) : error;
    } finally {
      // If it failed, the session is read again from the store and goes on from there.
      this.#sessions.forget(id);
    }
    this.#sessions.forgetEnvironment(id);
    this.#services.listeners.deleted(id);
  }

  /** Before the session is gone: after that nobody knows whose it is. Others may work in it. */
  async #releaseWorktree(id: string): Promise<void> {
    const { worktrees, store, logger } = this.#services;
    if (!worktrees) return;
    try {
      const cwd = (await store.getSession(id))?.cwd;
      const { sessions } = await store.listSessions({ cwd, limit: 2 });
      const released = await worktrees.release(id, { isShared: sessions.length > 1 });
      if (released === "kept")
        logger.info(
          { session: id, directory: cwd },
          "the worktree of a deleted session stays: it may hold work",
        );
    } catch (error) {
      logger.error({ err: error, session: id }, "the worktree of a session could not be removed");
    }
  }

  /** The session is gone whether that works or not. */
  async #forgetFiles(id: string): Promise<void> {
    await this.#services.workspace?.forget(id).catch((error) => {
      this.#services.logger.error(
        { err: error, session: id },
        "checkpoints of a session could not be deleted",
      );
    });
    this.#upkeep?.soon();
  }

  /** A session that cannot be read can be deleted all the same. */
  #assertDeletable(error: unknown): undefined {
    if (InterlinguaError.isInstance(error) && error.code === "session_damaged") return undefined;
    throw error;
  }

  async #release(id: string): Promise<void> {
    const agent = (await this.#services.store.getSession(id).catch(() => undefined))?.agent;
    await this.#services.agents.get(agent ?? "")?.release(id);
  }

  async prompt(session: string, prompt: SendPrompt): Promise<PromptReceipt> {
    this.#assertReady();
    const message = prompt.id ?? this.#services.newId("msg");
    return this.#prompts.run(`${session}\n${message}`, () =>
      acceptPrompt(this.#services, this.#sessions, session, message, prompt),
    );
  }

  /** For what replaces a part of the history. */
  async assertPromptPossible(session: string, prompt: SendPrompt): Promise<void> {
    this.#assertReady();
    await assertPromptPossible(this.#services, this.#sessions, session, prompt);
  }

  async interrupt(session: string, by: Principal, turn?: string): Promise<boolean> {
    this.#assertOpen();
    return (await this.#sessions.get(session)).interrupt(by.name, turn);
  }

  async edit(
    session: string,
    { id, parts }: { id: string; parts: PromptPart[] },
    by: Principal,
  ): Promise<PromptReceipt> {
    const { store } = this.#services;
    return this.#rewrites.run(session, () =>
      rewriteHistory(this, store, { session, message: id, parts, by }),
    );
  }

  async regenerate(session: string, target: RegenerateTarget, by: Principal): Promise<PromptReceipt> {
    const { store } = this.#services;
    return this.#rewrites.run(session, async () => {
      const prompt = await promptToRepeat(store, session, target);
      return rewriteHistory(this, store, { session, ...prompt, by });
    });
  }

  async rewind(
    session: string,
    before: string,
  ): Promise<{ before: string; agentForgot: boolean; seq: number }> {
    this.#assertReady();
    // One at a time: a message can be taken back only once.
    return this.#rewinds.run(session, async () => {
      const actor = await this.#sessions.get(session);
      const row = await this.#services.store.getMessage(session, before);
      if (row?.role !== "user" || row.position === undefined || row.rewoundAt !== undefined) {
        const detail = `There is no user message "${before}" in the history to rewind to.`;
        throw new InterlinguaError("message_not_found", detail);
      }
      return { before, ...(await actor.rewind(before)) };
    });
  }

  async fork(session: string, request: ForkSession): Promise<SessionDetails> {
    this.#assertReady();
    const origin = await this.#sessions.get(session);
    const id = this.#services.newId("ses");
    const { before, cwd, worktree } = request;
    if (!worktree) {
      const findDirectory = cwd === undefined ? undefined : async () => cwd;
      return this.#details(
        await forkSession(this.#services, this.#sessions, origin, { id, before, findDirectory }),
      );
    }
    return this.#forkWithWorktree(origin, { id, before });
  }

  async #forkWithWorktree(
    origin: SessionActor,
    { id, before }: { id: string; before?: string },
  ): Promise<SessionDetails> {
    const checkpoints = () => this.#files.checkpoints(origin.state.id);
    let made: ForkWorktree | undefined;
    const findDirectory = async () => {
      made = await addForkWorktree(this.#services, origin, { id, before, checkpoints });
      return made.directory;
    };
    try {
      const fork = await forkSession(this.#services, this.#sessions, origin, { id, before, findDirectory });
      const notice = worktreeNotice(made!);
      fork.log.act((machine) => machine.apply(notice));
      await fork.log.durable();
      return await this.#details(fork);
    } catch (error) {
      // One that may be committed keeps it.
      if (made && !this.#sessions.peek(id)) await this.#services.worktrees?.discard(id);
      throw error;
    }
  }

  async checkpoints(session: string): Promise<CheckpointView[]> {
    return this.#files.checkpoints(session);
  }

  async changes(session: string, query: ChangesQuery): Promise<FileDifference[]> {
    return this.#files.changes(session, query);
  }

  async restore(session: string, request: RestoreFiles): Promise<RestoreAnswer> {
    this.#assertReady();
    return this.#files.restore(session, request);
  }

  async approve(session: string): Promise<{ checkpoint: string; changes: number }> {
    this.#assertReady();
    return this.#files.approve(session);
  }

  async reset(session: string, request: Omit<RestoreFiles, "checkpoint">): Promise<RestoreAnswer> {
    this.#assertReady();
    return this.#files.reset(session, request);
  }

  async checkpointUsage(): Promise<DirectoryUsage[]> {
    return (await this.#services.workspace?.usage()) ?? [];
  }

  async dropOldCheckpoints(): Promise<number> {
    this.#assertOpen();
    return (await this.#upkeep?.run()) ?? 0;
  }

  async queue(
    session: string,
    maxBytes = this.#services.limits.maxQueuedBytes,
    after?: string,
  ): Promise<QueuedView[]> {
    return queuedViews(await this.#sessions.get(session), maxBytes, after);
  }

  async changeQueued(session: string, message: string, parts: PromptPart[]): Promise<QueuedView> {
    this.#assertReady();
    const actor = await this.#sessions.get(session);
    using _prepared = await actor.prepareMask(parts);
    return await changeQueued(this.#services.store, actor, message, parts);
  }

  async withdrawQueued(session: string, message: string): Promise<void> {
    this.#assertReady();
    await withdrawQueued(this.#services.store, await this.#sessions.get(session), message);
  }

  async reply(
    session: string,
    ask: string,
    reply: AskReply,
    by: Principal,
    kind?: "permission" | "question",
  ): Promise<AskView> {
    this.#assertReady();
    const actor = await this.#sessions.get(session);
    using _prepared = await actor.prepareMask(reply);
    return await replyToAsk(this.#services.store, actor, { ask, reply, by: by.name, kind });
  }

  async openAsks(session?: string): Promise<AskView[]> {
    return (await this.listAsks({ session })).asks;
  }

  async listAsks(query: AskQuery): Promise<{ asks: AskView[]; cursor?: string }> {
    const { store } = this.#services;
    if (query.session !== undefined && !(await store.getSession(query.session)))
      throw sessionNotFound(query.session);
    const { asks, cursor } = await store.openAsks(query);
    return { asks: asks.map((row) => askView(row.session, row)), cursor };
  }

  follow(session: string, listener: (events: readonly EncodedEvent[]) => void, onDeleted?: () => void) {
    return this.#services.listeners.follow(session, listener, onDeleted);
  }

  followAll(listener: (change: SessionSummary | { session: string; deleted: true }) => void): () => void {
    return this.#services.listeners.followAll(listener);
  }

  health(): { ok: boolean; problem?: string } {
    const { problem } = this.#services.commit;
    return problem === undefined ? { ok: true } : { ok: false, problem };
  }

  stats(): EngineStats {
    const { commit, counters, slots } = this.#services;
    return {
      liveSessions: this.#sessions.size,
      attachedAgents: slots.taken,
      pendingBytes: commit.pendingBytes,
      committedEvents: commit.counters.events,
      commits: commit.counters.commits,
      failedCommits: commit.counters.failed,
      unknownNative: counters.unknownNative,
      unread: counters.unread.all(),
      turns: counters.turns,
    };
  }

  async close(): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    this.#sessions.stop();
    await this.#upkeep?.stop();
    // If the disk is full, what cannot be written now is given up.
    if (this.#services.commit.problem !== undefined) this.#services.commit.close();
    // One that does not end in time is finished at the next start.
    await settledWithin(this.#services.inRestore.endings, RESTORE_GRACE_MS);
    const reason = { code: "daemon_restarted", message: "The daemon was stopped during this turn." };
    await Promise.all((await this.#sessions.all()).map((actor) => actor.stop(reason)));
    this.#services.commit.close();
    await this.#services.commit.settled();
  }

  /** What is committed, with what the agent last reported about itself. */
  async #details(actor: SessionActor): Promise<SessionDetails> {
    const stored = await this.#services.store.getSession(actor.state.id);
    const { request: _request, ...row } = stored ?? actor.log.row();
    const {
      agentVersion,
      models,
      modes,
      commands,
      tools,
      attached,
      install,
      env,
      checkpoints,
      checkpointObstacle,
    } = actor.state;
    const settings = shownSettings(actor.state);
    const envRequired = actor.isEnvironmentMissing;
    return {
      ...row,
      agentVersion,
      models,
      modes: modes ?? this.#agents.declaredModes(actor.state.agent),
      commands,
      settings,
      tools,
      attached,
      install,
      env,
      envRequired,
      checkpoints: this.#takesCheckpoints && checkpoints !== "off" ? "on" : "off",
      checkpointObstacle,
      forks: await this.#forksOf(actor),
    };
  }

  get #takesCheckpoints(): boolean {
    return this.#services.workspace !== undefined && this.#services.checkpoints === "on";
  }

  async #forksOf({ state }: SessionActor): Promise<string[] | undefined> {
    if (!state.forks) return undefined;
    const rows = await Promise.all(
      state.forks.map((id) => this.#services.store.getSession(id).catch(() => undefined)),
    );
    return rows.flatMap((row) => row?.id ?? []);
  }

  #assertOpen(): void {
    if (this.#closing) throw shuttingDown();
  }

  /**
   * While the log cannot be written no command is accepted: nothing may happen that is not recorded. Stopping an agent
   * is the exception.
   */
  #assertReady(): void {
    this.#assertOpen();
    const { problem } = this.#services.commit;
    if (problem !== undefined) throw storeUnavailable(problem);
  }
}

function shuttingDown(): InterlinguaError {
  return new InterlinguaError("shutting_down", "The daemon is shutting down. Try again when it is back.");
}
