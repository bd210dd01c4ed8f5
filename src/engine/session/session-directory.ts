/**
 * The live sessions: claims one and loads its actor when needed, and drops and releases it after it has been idle for a
 * while.
 */
import { InterlinguaError } from "../../core/error.ts";
import { errorText } from "../../core/error-text.ts";
import type { Claim, Owned } from "../../core/ownership.ts";
import { notOwner, sessionMoved, sessionNotFound, shuttingDown } from "../../protocol/refusals.ts";
import { absentAdapter } from "../agent/absent-adapter.ts";
import type { Services } from "../engine-services.ts";
import { AcknowledgedHeads, type LogEnd } from "../ownership/acknowledged-heads.ts";
import { KnownEnvironments } from "../secrets/known-environments.ts";
import { KnownSecrets } from "../secrets/known-secrets.ts";
import { loadSession } from "./load-session.ts";
import { SessionActor } from "./session-actor.ts";
import { findMissing } from "./session-assertions.ts";
import { isSessionMoved, type SessionLog } from "./session-log.ts";

/** How long a session that was given up twice waits before it is reloaded on its own. */
const RELOAD_PAUSE_MS = 10_000;

/**
 * A node with log-only access releases a session this long after it was last wanted: a node that can continue it may have
 * come.
 */
const LOG_ONLY_MS = 500;

/** Where it is wanted all the time, after this long. */
const MAX_LOG_ONLY_MS = 2000;

export class SessionDirectory {
  readonly #services: Services;
  readonly #actors = new Map<string, Promise<SessionActor>>();
  readonly #environments = new KnownEnvironments();
  /** By session. For one that had none there is nothing once it is dropped. */
  readonly #secrets = new Map<string, KnownSecrets>();
  #sweeper: NodeJS.Timeout;
  /** Those that run now. */
  readonly #current = new Map<string, SessionActor>();
  /** Sessions that were given up or let go, and whose agents are being ended. */
  readonly #ending = new Map<string, Promise<void>>();
  /** When a session that was given up was last reloaded on its own. */
  readonly #reloaded = new Map<string, number>();
  /** The last event that was acknowledged of sessions that were given up. */
  readonly #acknowledged = new AcknowledgedHeads();
  #isStopped = false;
  /** When each actor was last wanted. */
  readonly #wanted = new Map<string, number>();

  constructor(services: Services) {
    this.#services = services;
    services.turns.liveStates = () => [...this.#current.values()].map(({ state }) => state);
    const period = Math.max(1000, services.limits.unloadMs / 2);
    this.#sweeper = setInterval(() => void this.#unload(), period).unref();
  }

  get size(): number {
    return this.#actors.size;
  }

  /** Whether nothing is loaded any more. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /**
   * Throws `session_not_found`, `not_owner` where another node has it, and `shutting_down` where it would have to be loaded
   * by a daemon that is stopping.
   */
  async get(id: string): Promise<SessionActor> {
    const known = this.#actors.get(id);
    // What is claimed now would only have to be ended again.
    if (!known && this.#isStopped) throw shuttingDown();
    this.#wanted.set(id, this.#services.now());
    if (known) return known;
    const loading: Promise<SessionActor> = this.#load(id, () => this.#actors.get(id) === loading);
    this.#actors.set(id, loading);
    try {
      return await loading;
    } catch (error) {
      // Not one that was made meanwhile.
      if (this.#actors.get(id) === loading) this.#actors.delete(id);
      this.#wanted.delete(id);
      throw error;
    }
  }

  /**
   * Before something begins in a session. With log-only access the session is claimed again: `not_owner` names a node that
   * can do more with it now. Else throws what is missing.
   */
  async assertNothingMissing(actor: SessionActor): Promise<void> {
    if (actor.log.access.is === "full") return;
    const { id } = actor.state;
    if (this.#current.get(id) === actor && actor.isAtRest) await this.letGo(actor);
    throw findMissing((await this.get(id)).log) ?? sessionMoved(id);
  }

  /** The actor of a session that is in memory, committed or not. */
  peek(id: string): Promise<SessionActor> | undefined {
    return this.#actors.get(id);
  }

  /**
   * For a session that was just created, perhaps as a copy of `origin`. A concurrent load from the store returns this actor
   * too. Throws, and then nothing of it is written, where this node takes no sessions.
   */
  add(log: SessionLog, environment?: Record<string, string>, origin?: string): SessionActor {
    const { id } = log.state;
    log.claim = this.#claimNew(log);
    const inherited = origin === undefined ? undefined : this.#secrets.get(origin);
    const isComplete = origin === undefined || inherited !== undefined;
    this.#secrets.set(id, new KnownSecrets({ isComplete, origin: inherited }));
    this.#environments.created(id, environment);
    const actor = this.#create(log);
    this.#actors.set(id, Promise.resolve(actor));
    this.#wanted.set(id, this.#services.now());
    return actor;
  }

  #claimNew(log: SessionLog): Claim | undefined {
    try {
      return this.#services.ownership.claimNew(log.state.id);
    } catch (error) {
      // Its first events wait to be committed.
      log.end(error);
      throw error;
    }
  }

  environmentOf(id: string): Record<string, string> | undefined {
    return this.#environments.get(id);
  }

  addEnvironment(id: string, values: Record<string, string>): void {
    this.#environments.add(id, values);
  }

  /** The next `get` loads it anew. */
  forget(id: string): void {
    const secrets = this.#secrets.get(id);
    const log = this.#current.get(id)?.log;
    if (secrets?.isEmpty) this.#secrets.delete(id);
    else secrets?.dropped(log?.committedHead ?? 0);
    if (log) this.#environments.dropped(id, endOf(log));
    this.#actors.delete(id);
    this.#current.delete(id);
    this.#wanted.delete(id);
  }

  forgetEnvironment(id: string): void {
    this.#environments.forget(id);
    this.#secrets.delete(id);
  }

  /** The actor whose agent has been idle longest. */
  async longestIdle(): Promise<SessionActor | undefined> {
    const idle = (await this.all()).filter((actor) => actor.isIdle);
    return idle.sort((a, b) => a.lastHeardAt - b.lastHeardAt)[0];
  }

  /** Its slot is needed; it is started again with its next prompt. */
  async restLongestIdle(): Promise<void> {
    await (await this.longestIdle())?.rest();
  }

  /** How many agents run, by their names. */
  liveAgents(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { state } of this.#current.values())
      if (state.attached) counts[state.agent] = (counts[state.agent] ?? 0) + 1;
    return counts;
  }

  async all(): Promise<SessionActor[]> {
    const settled = await Promise.allSettled(this.#actors.values());
    return settled.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  }

  /** Other nodes may have all of them. Resolves when their agents are ended. */
  async abandonAll(): Promise<void> {
    for (const { log } of await this.all()) log.failed(sessionMoved(log.state.id));
    await Promise.all(this.#ending.values());
  }

  /** Nothing is loaded any more, and nothing new begins. */
  stop(): void {
    this.#isStopped = true;
    for (const { steps } of this.#current.values()) steps.end();
    clearInterval(this.#sweeper);
  }

  /**
   * Another node may have it, with what waits. Whoever still holds its actor is told to look again. Resolves when it is
   * free.
   */
  async letGo(actor: SessionActor): Promise<void> {
    const { log } = actor;
    const { id } = log.state;
    const isSettled = actor.isAtRest;
    if (this.#current.get(id) === actor) this.forget(id);
    log.end(sessionMoved(id));
    log.announceOwner(false);
    await this.#end(actor, sessionMoved(id), isSettled);
  }

  /** Until it is released nobody here claims it again: what was settled with log-only access is known only then. */
  async #end(actor: SessionActor, reason: unknown, isSettled = false): Promise<void> {
    const { ownership, logger } = this.#services;
    const { log, state } = actor;
    const { id } = state;
    const ending = actor
      .destroy(reason)
      .catch((error) => logger.error({ err: error, session: id }, "its agent could not be ended"))
      .then(() => ownership.release(id, log.claim, isSettled));
    this.#ending.set(id, ending);
    await ending;
    if (this.#ending.get(id) === ending) this.#ending.delete(id);
  }

  /** There is never a second actor: if one was created meanwhile, it is used. */
  async #load(id: string, isWanted: () => boolean): Promise<SessionActor> {
    // Its agent is ended by the session's id, and a new one must not be hit.
    await this.#ending.get(id);
    const owned = await this.#claim(id);
    const { claim, lostNode, isSettled } = owned;
    const log = await this.#read(id, owned);
    if (!isWanted()) {
      log.end(sessionNotFound(id));
      await this.#services.ownership.release(id, claim);
      return this.get(id);
    }
    const lostEvents = this.#acknowledged.take(id, endOf(log));
    if (lostEvents > 0) this.#services.listeners.cutShort(id, log.committedHead);
    const secrets = this.#secrets.get(id) ?? new KnownSecrets({ isComplete: false });
    secrets.loaded(log.committedHead);
    this.#secrets.set(id, secrets);
    // Where one daemon owns everything nobody else was given others.
    if (claim) this.#environments.loaded(id, endOf(log));
    const actor = this.#create(log);
    // No other daemon runs it: it is ours.
    const canFinishRestore = log.access.missing !== "files" && log.state.restore !== undefined;
    if (!isSettled || lostEvents > 0 || canFinishRestore) actor.recover({ lostNode, lostEvents });
    log.announceOwner(true);
    if (log.access.is === "log") this.#releaseSoon(actor);
    return actor;
  }

  #releaseSoon(actor: SessionActor, since = this.#services.now()): void {
    const { id } = actor.state;
    const { now } = this.#services;
    setTimeout(() => {
      if (this.#current.get(id) !== actor) return;
      const isWanted = (this.#wanted.get(id) ?? 0) > now() - LOG_ONLY_MS && now() < since + MAX_LOG_ONLY_MS;
      if (isWanted || !actor.isAtRest) return this.#releaseSoon(actor, since);
      void this.letGo(actor);
    }, LOG_ONLY_MS).unref();
  }

  async #claim(id: string): Promise<Owned> {
    const answer = await this.#services.ownership.claim(id);
    if (!answer) throw sessionNotFound(id);
    if ("owner" in answer) throw notOwner(id, answer.owner);
    return answer;
  }

  /** A fault in one session concerns only those who ask for that session. */
  async #read(id: string, owned: Owned): Promise<SessionLog> {
    try {
      return await loadSession(id, this.#services, owned);
    } catch (error) {
      await this.#services.ownership.release(id, owned.claim);
      if (InterlinguaError.isInstance(error)) throw error;
      this.#services.logger.error({ err: error, session: id }, "a session cannot be read");
      const detail = `Session "${id}" cannot be read: ${errorText(error)}. Run "interlingua db check"; it can be deleted.`;
      throw new InterlinguaError("session_damaged", detail, { cause: error });
    }
  }

  #create(log: SessionLog): SessionActor {
    const { id, agent } = log.state;
    const { agents, logger } = this.#services;
    const adapter = agents.get(agent) ?? absentAdapter(agent, [...agents.keys()]);
    const secrets = this.#secrets.get(id)!;
    const actor = new SessionActor(log, adapter, this.#services, {
      environment: this.#environments.get(id),
      secrets,
    });
    this.#current.set(id, actor);
    log.onLost = (error) => {
      const isMoved = isSessionMoved(error);
      if (isMoved) logger.warn({ session: id }, "a session was given up: another node has it");
      else
        logger.error(
          { err: error, session: id },
          "a session was given up and will be read again from the store",
        );
      if (this.#current.get(id) === actor) this.forget(id);
      this.#acknowledged.note(id, endOf(log));
      void this.#end(actor, error).then(() => (isMoved ? undefined : this.#reload(id)));
    };
    return actor;
  }

  /**
   * Followers of a session that was given up wait for the end of its turn, and its prompts wait too, so it is reloaded.
   * If it is given up again at once, it waits until somebody asks for it.
   */
  async #reload(id: string): Promise<void> {
    const { now, logger } = this.#services;
    const last = this.#reloaded.get(id);
    if (this.#isStopped || (last !== undefined && now() - last < RELOAD_PAUSE_MS)) return;
    this.#reloaded.set(id, now());
    await this.get(id).catch((error) =>
      logger.warn({ err: error, session: id }, "a session cannot be read again"),
    );
  }

  async #unload(): Promise<void> {
    const limit = this.#services.now() - this.#services.limits.unloadMs;
    for (const actor of await this.all()) {
      const { id } = actor.state;
      if (!actor.isAtRest || (this.#wanted.get(id) ?? 0) >= limit) continue;
      this.forget(id);
      actor.log.announceOwner(false);
      void this.#services.ownership.release(id, actor.log.claim, true);
    }
    const old = this.#services.now() - RELOAD_PAUSE_MS;
    for (const [id, at] of this.#reloaded) if (at < old) this.#reloaded.delete(id);
    if (this.#services.ownership.nodeName !== undefined) await this.#forgetMovedEnvironments();
  }

  /** What went on at another node may never come back, and nobody says when it is deleted there. */
  async #forgetMovedEnvironments(): Promise<void> {
    for (const id of this.#environments.unloaded) {
      const row = await this.#services.store.getSession(id).catch(() => null);
      if (row !== null && !this.#actors.has(id)) this.#environments.found(id, row);
    }
  }
}

function endOf({ state, committedHead }: SessionLog): LogEnd {
  return { createdAt: state.createdAt, head: committedHead };
}
