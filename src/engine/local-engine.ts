/** The engine of one daemon: finds the session a command is for and lets its actor do the rest. */

import { agentNameOf } from "../core/agent-alias.ts";
import type { EncodedEvent } from "../core/encoded-event.ts";
import type { Principal } from "../core/principal.ts";
import type { InstallProgress } from "../core/program.ts";
import type { PromptPart } from "../core/prompt-part.ts";
import type { SessionSummary } from "../core/session-summary.ts";
import type { AskQuery } from "../core/store.ts";
import type { CollectedGarbage, DirectoryUsage, FileDifference } from "../core/workspace.ts";
import { sessionNotFound, shuttingDown } from "../protocol/refusals.ts";
import { AgentList } from "./agent/agent-list.ts";
import { askView } from "./asks/ask-view.ts";
import { assertMayChange, assertMayCreate, assertMayPrompt } from "./asks/asking-checks.ts";
import { replyToAsk } from "./asks/reply-to-ask.ts";
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
  PassedMessage,
  PassedReceipt,
  PromptReceipt,
  QueueChecks,
  QueuedView,
  RegenerateTarget,
  RestoreAnswer,
  RestoreFiles,
  SendPrompt,
  SessionDetails,
  TaskView,
  UpdateSession,
} from "./engine.ts";
import type { Services } from "./engine-services.ts";
import type { CheckpointView } from "./files/checkpoint-history.ts";
import { FileHistory } from "./files/file-history.ts";
import { FileRestores } from "./files/file-restores.ts";
import { GarbageSchedule } from "./files/garbage-schedule.ts";
import { makeFork } from "./forks/make-fork.ts";
import { KeyedQueue } from "./keyed-queue.ts";
import { drainSessions } from "./ownership/drain-sessions.ts";
import { acceptPrompt, assertAgentPossible, assertPromptPossible } from "./prompts/accept-prompt.ts";
import {
  changeQueued,
  moveQueued,
  queuedViews,
  sendQueued,
  withdrawQueued,
} from "./prompts/queue-commands.ts";
import { Rewinds } from "./prompts/rewinds.ts";
import { promptToRepeat, type RewriteServices, rewriteHistory } from "./prompts/rewrite-history.ts";
import { createSession } from "./session/create-session.ts";
import { deleteSession } from "./session/delete-session.ts";
import { recoverSessions } from "./session/recover-sessions.ts";
import type { SessionActor } from "./session/session-actor.ts";
import { sessionDetails } from "./session/session-details.ts";
import { SessionDirectory } from "./session/session-directory.ts";
import { storeUnavailable } from "./session/session-log.ts";
import { stopTask, taskViews } from "./session/task-commands.ts";
import { settledWithin } from "./settled-within.ts";

/** How long a restore of files may take when the daemon stops. */
const RESTORE_GRACE_MS = 5000;

export class LocalEngine implements Engine {
  readonly #services: Services;
  readonly #sessions: SessionDirectory;
  readonly #agents: AgentList;
  readonly #history: FileHistory;
  readonly #restores: FileRestores;
  readonly #rewinds: Rewinds;
  readonly #garbage: GarbageSchedule | undefined;
  /** Creation and deletion of a session never overlap. */
  readonly #lives = new KeyedQueue();
  readonly #prompts = new KeyedQueue();
  /** Edits and regenerations of a session, each of which is several commands. */
  readonly #rewrites = new KeyedQueue();
  #closing = false;

  constructor(services: Services) {
    this.#services = services;
    this.#agents = new AgentList(services.agents, services.now);
    this.#sessions = new SessionDirectory(services);
    this.#rewinds = new Rewinds(services.store);
    this.#history = new FileHistory(services, this.#sessions);
    this.#restores = new FileRestores({
      services,
      sessions: this.#sessions,
      history: this.#history,
      rewinds: this.#rewinds,
    });
    const { workspace, logger, limits } = services;
    this.#garbage =
      workspace && new GarbageSchedule({ workspace, logger, intervalMs: limits.checkpointUpkeepMs });
    services.slots.makeRoom = () => void this.#sessions.restLongestIdle();
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

  agents(): AgentView[] {
    return this.#agents.all();
  }

  async agent(name: string): Promise<AgentView> {
    const view = await this.#agents.probe(name);
    return { ...view, unread: this.#services.counters.unread.of(name) };
  }

  async install(
    name: string,
    _by: Principal,
    onProgress?: (progress: InstallProgress) => void,
  ): Promise<InstalledAgent> {
    if (this.#closing) throw shuttingDown();
    return this.#agents.install(name, this.#services.programs, onProgress);
  }

  async createSession(
    request: CreateSession,
    by: Principal,
  ): Promise<{ session: SessionDetails; created: boolean }> {
    this.#assertReady();
    const id = request.id ?? this.#services.newId("ses");
    return this.#lives.run(id, () => this.#create(id, request, by));
  }

  async #create(
    id: string,
    request: CreateSession,
    by: Principal,
  ): Promise<{ session: SessionDetails; created: boolean }> {
    const { env } = request;
    const agent = agentNameOf(request.agent);
    assertMayCreate(by.access, this.#agents.get(agent), request);
    const settings = await this.#agents.settle(agent, request);
    const named = { ...request, agent };
    const actor = await createSession(this.#services, this.#sessions, id, named, { settings, by: by.name });
    if (actor) return { session: await this.#details(actor), created: true };
    if (env) await this.updateSession(id, { env }, by);
    return { session: await this.getSession(id), created: false };
  }

  async getSession(id: string): Promise<SessionDetails> {
    return this.#details(await this.#sessions.get(id));
  }

  async attach(id: string, _by: Principal): Promise<SessionDetails> {
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

  async updateSession(id: string, change: UpdateSession, by: Principal): Promise<SessionDetails> {
    if (change.status === "closed") this.#assertOpen();
    else this.#assertReady();
    const actor = await this.#sessions.get(id);
    assertMayChange(by.access, actor, change);
    await actor.update(change, by.name, () => this.#agents.settle(actor.state.agent, change));
    if (change.env) this.#sessions.addEnvironment(id, change.env);
    if (actor.state.closed) this.#sessions.forgetEnvironment(id);
    return this.#details(actor);
  }

  async deleteSession(id: string, _by: Principal): Promise<void> {
    this.#assertOpen();
    await this.#lives.run(id, () => deleteSession(this.#services, this.#sessions, id));
    this.#garbage?.soon();
  }

  async prompt(
    session: string,
    prompt: SendPrompt,
    by: Principal,
    checks?: QueueChecks,
  ): Promise<PromptReceipt> {
    this.#assertReady();
    const message = prompt.id ?? this.#services.newId("msg");
    return this.#prompts.run(`${session}\n${message}`, () =>
      acceptPrompt(this.#services, this.#sessions, session, message, { ...prompt, by, checks }),
    );
  }

  /** For what replaces a part of the history. */
  async assertPromptPossible(session: string, prompt: SendPrompt & { by: Principal }): Promise<void> {
    this.#assertReady();
    await assertPromptPossible(this.#services, this.#sessions, session, prompt);
  }

  async interrupt(session: string, by: Principal, turn?: string, hold?: boolean): Promise<boolean> {
    this.#assertOpen();
    return (await this.#sessions.get(session)).interrupt(by.name, turn, hold);
  }

  async edit(
    session: string,
    { id, parts }: { id: string; parts: PromptPart[] },
    by: Principal,
  ): Promise<PromptReceipt> {
    return this.#rewrites.run(session, () =>
      rewriteHistory(this.#rewriting, { session, message: id, parts, by }),
    );
  }

  async regenerate(session: string, target: RegenerateTarget, by: Principal): Promise<PromptReceipt> {
    const services = this.#rewriting;
    return this.#rewrites.run(session, async () => {
      const prompt = await promptToRepeat(services.store, session, target);
      return rewriteHistory(services, { session, ...prompt, by });
    });
  }

  get #rewriting(): RewriteServices {
    return { engine: this, sessions: this.#sessions, store: this.#services.store };
  }

  async rewind(
    session: string,
    before: string,
    by: Principal,
  ): Promise<{ before: string; agentForgot: boolean; seq: number }> {
    this.#assertReady();
    const actor = await this.#sessions.get(session);
    await this.#sessions.assertNothingMissing(actor);
    return this.#rewinds.run(actor, before, by.name);
  }

  async fork(session: string, request: ForkSession, by: Principal): Promise<SessionDetails> {
    this.#assertReady();
    const origin = await this.#sessions.get(session);
    await this.#sessions.assertNothingMissing(origin);
    using _loaded = origin.keepLoaded();
    const id = request.id ?? this.#services.newId("ses");
    const from = { origin, checkpoints: () => this.#history.checkpoints(session) };
    return await this.#lives.run(id, async () => {
      const fork = await makeFork(this.#services, this.#sessions, from, { ...request, id, by });
      return this.#details(fork);
    });
  }

  async checkpoints(session: string): Promise<CheckpointView[]> {
    return this.#history.checkpoints(session);
  }

  async changes(session: string, query: ChangesQuery): Promise<FileDifference[]> {
    return this.#history.changes(session, query);
  }

  async restore(session: string, request: RestoreFiles, by: Principal): Promise<RestoreAnswer> {
    this.#assertReady();
    return this.#restores.restore(session, request, by.name);
  }

  async approve(session: string, by: Principal): Promise<{ checkpoint: string; changes: number }> {
    this.#assertReady();
    return this.#restores.approve(session, by.name);
  }

  async reset(
    session: string,
    request: Omit<RestoreFiles, "checkpoint">,
    by: Principal,
  ): Promise<RestoreAnswer> {
    this.#assertReady();
    return this.#restores.reset(session, request, by.name);
  }

  async checkpointUsage(): Promise<DirectoryUsage[]> {
    return (await this.#services.workspace?.usage()) ?? [];
  }

  async collectGarbage(): Promise<CollectedGarbage> {
    this.#assertOpen();
    return (await this.#garbage?.run()) ?? { dropped: 0, failed: [] };
  }

  async queue(
    session: string,
    maxBytes = this.#services.limits.maxQueuedBytes,
    after?: string,
  ): Promise<QueuedView[]> {
    return queuedViews(await this.#sessions.get(session), maxBytes, after);
  }

  async changeQueued(
    session: string,
    message: string,
    parts: PromptPart[],
    by: Principal,
  ): Promise<QueuedView> {
    this.#assertReady();
    const actor = await this.#sessions.get(session);
    await this.#services.assertParts(session, parts);
    using _prepared = await actor.prepareMask(parts);
    return await changeQueued(this.#services.store, actor, message, { parts, by });
  }

  async moveQueued(
    session: string,
    message: string,
    before: string | null,
    by: Principal,
    checks?: QueueChecks,
  ): Promise<QueuedView> {
    this.#assertReady();
    const actor = await this.#sessions.get(session);
    return moveQueued(this.#services.store, actor, message, { before, by: by.name, checks });
  }

  async sendQueued(
    session: string,
    message: string,
    by: Principal,
    checks?: QueueChecks,
  ): Promise<PromptReceipt> {
    this.#assertReady();
    const actor = await this.#sessions.get(session);
    return sendQueued(this.#services.store, actor, message, { by, checks });
  }

  async releaseQueue(session: string, by: Principal): Promise<boolean> {
    this.#assertReady();
    const actor = await this.#sessions.get(session);
    assertMayPrompt(by.access, actor);
    const isReleased = actor.prompts.release(by.name);
    await actor.log.durable();
    return isReleased;
  }

  async tasks(session: string): Promise<TaskView[]> {
    return taskViews((await this.#sessions.get(session)).state);
  }

  async stopTask(session: string, task: string, by: Principal): Promise<TaskView> {
    this.#assertReady();
    return stopTask(await this.#sessions.get(session), task, by.name);
  }

  async withdrawQueued(session: string, message: string, by: Principal): Promise<void> {
    this.#assertReady();
    await withdrawQueued(this.#services.store, await this.#sessions.get(session), message, by.name);
  }

  async passOn(session: string, message: PassedMessage, by: Principal): Promise<PassedReceipt> {
    this.#assertReady();
    const actor = await this.#sessions.get(session);
    using _prepared = await actor.prepareMask(message.value);
    return await actor.passOn(message, by.name);
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
    return await replyToAsk(this.#services.store, actor, { ask, reply, by, kind });
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

  #details(actor: SessionActor): Promise<SessionDetails> {
    return sessionDetails(this.#services, actor, this.#agents.declaredModes(actor.state.agent));
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
