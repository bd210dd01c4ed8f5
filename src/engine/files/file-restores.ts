/** Going back: restores and resets, each while nothing else works on the files, and approvals. */
import { overlap } from "../../core/is-inside.ts";
import type { FileDifference, Workspace } from "../../core/workspace.ts";
import type { RestoreAnswer, RestoreFiles } from "../../protocol/commands/command-types.ts";
import type { Services } from "../engine-services.ts";
import { KeyedQueue } from "../keyed-queue.ts";
import type { PreparedRewind } from "../prompts/conversation-rewind.ts";
import type { Rewinds } from "../prompts/rewinds.ts";
import type { SessionActor } from "../session/session-actor.ts";
import { assertOpen } from "../session/session-assertions.ts";
import type { SessionDirectory } from "../session/session-directory.ts";
import { carryOutRestore } from "./carry-out-restore.ts";
import type { CheckpointView } from "./checkpoint-history.ts";
import { compareFiles, type FileHistory } from "./file-history.ts";
import { MAX_NAMED_FILES, recordCheckpoint } from "./record-checkpoint.ts";
import { assertSomeMatch, normalizePaths } from "./restore-paths.ts";
import { assertAsAsked, digestOf, requestPlan, type WantedFiles } from "./restore-plan.ts";
import {
  busyElsewhere,
  explained,
  requireCheckpoint,
  requireWorkspace,
  workspaceBusy,
} from "./workspace-refusals.ts";

export interface FileRestoresOptions {
  services: Services;
  sessions: SessionDirectory;
  history: FileHistory;
  rewinds: Rewinds;
}

export class FileRestores {
  readonly #services: Services;
  readonly #sessions: SessionDirectory;
  readonly #history: FileHistory;
  readonly #rewinds: Rewinds;
  /** Restores and approvals of a session, one after the other. */
  readonly #queue = new KeyedQueue();

  constructor({ services, sessions, history, rewinds }: FileRestoresOptions) {
    this.#services = services;
    this.#sessions = sessions;
    this.#history = history;
    this.#rewinds = rewinds;
  }

  async restore(session: string, request: RestoreFiles, by: string): Promise<RestoreAnswer> {
    const named = await this.#sessions.get(session);
    assertOpen(named.state, named.steps.hasEnded);
    await requireWorkspace(named);
    normalizePaths(named.state.cwd, request.paths);
    // What is not there is told first: waiting for others would not help.
    await this.#requireCheckpoint(named, request.checkpoint);
    return this.#alone(session, request, (actor, workspace) => this.#restore(actor, workspace, request, by));
  }

  /** Back to the last approval. */
  reset(session: string, request: Omit<RestoreFiles, "checkpoint">, by: string): Promise<RestoreAnswer> {
    return this.#alone(session, request, async (actor, workspace) => {
      const checkpoint = actor.state.pendingSince ?? (await this.#takeFirst(actor));
      return this.#restore(actor, workspace, { ...request, checkpoint }, by);
    });
  }

  /** It changes no file, so agents may work meanwhile. */
  approve(session: string, by: string): Promise<{ checkpoint: string; changes: number }> {
    return this.#inOrder(session, async (actor, workspace) => {
      await actor.checkpoints.bringFiles();
      this.#assertNoRestore(actor.state.cwd);
      await this.#assertNoRestoreElsewhere(actor.state.cwd);
      const changes = await this.#history.countPending(actor, workspace);
      const checkpoint = await actor.checkpoints.take().catch((error: unknown) => {
        // The end of the session cuts it off.
        assertUsable(actor);
        throw error;
      });
      try {
        assertUsable(actor);
      } catch (error) {
        await this.#discard(actor, workspace, checkpoint.id);
        throw error;
      }
      actor.log.act((machine) => recordCheckpoint(machine, checkpoint, { kind: "approved", by }));
      await actor.log.durable();
      // Only now: the one before is kept as long as the log names it.
      await this.#keep(actor, workspace, checkpoint.id);
      return { checkpoint: checkpoint.id, changes };
    });
  }

  /** Nothing of any session works in the directory meanwhile. */
  #alone<Result>(
    session: string,
    { files = true }: Pick<RestoreFiles, "files">,
    work: (actor: SessionActor, workspace: Workspace) => Promise<Result>,
  ): Promise<Result> {
    return this.#inOrder(session, async (actor, workspace) => {
      const { cwd } = actor.state;
      if (files) await actor.checkpoints.bringFiles();
      const others = await this.#sessions.all();
      // From here to `hold` nothing else runs.
      for (const other of new Set([actor, ...others])) assertNotWorking(other, cwd);
      this.#assertNoRestore(cwd);
      const release = this.#services.inRestore.hold(cwd, session);
      try {
        return await this.#aloneAmongNodes(session, cwd, () => work(actor, workspace));
      } finally {
        release();
        actor.steps.wake();
      }
    });
  }

  /** Others are told first: whoever begins at the same moment sees it, or is seen here. */
  async #aloneAmongNodes<Result>(
    session: string,
    directory: string,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const { directories } = this.#services;
    if (!directories?.isShared(directory)) return work();
    const leave = await directories.announce({ session, directory, kind: "restore" });
    try {
      await this.#assertNoRestoreElsewhere(directory);
      await this.#assertNoWorkElsewhere(directory);
      return await work();
    } finally {
      await leave();
    }
  }

  async #assertNoRestoreElsewhere(directory: string): Promise<void> {
    const { directories } = this.#services;
    const restore = directories?.isShared(directory) ? await directories.findRestore(directory) : undefined;
    if (restore) throw busyElsewhere(restore, "restores files there");
  }

  async #assertNoWorkElsewhere(directory: string): Promise<void> {
    const { directories } = this.#services;
    const work = directories?.isShared(directory) ? await directories.findWork(directory) : undefined;
    if (work) throw busyElsewhere(work, "works there, or waits for an answer");
  }

  #inOrder<Result>(
    session: string,
    work: (actor: SessionActor, workspace: Workspace) => Promise<Result>,
  ): Promise<Result> {
    return this.#queue.run(session, async () => {
      const actor = await this.#sessions.get(session);
      using _loaded = actor.keepLoaded();
      assertOpen(actor.state, actor.steps.hasEnded);
      const workspace = await requireWorkspace(actor);
      try {
        return await explained(work(actor, workspace));
      } catch (error) {
        // Where the session was deleted meanwhile, everything else that went wrong follows from that.
        actor.log.assertAlive();
        throw error;
      }
    });
  }

  /** Of a session that has none yet: nothing was done in it. */
  async #takeFirst(actor: SessionActor): Promise<string> {
    const checkpoint = await actor.checkpoints.take();
    assertUsable(actor);
    if (actor.state.pendingSince === undefined)
      actor.log.act((machine) => recordCheckpoint(machine, checkpoint, { kind: "created" }));
    return actor.state.pendingSince ?? checkpoint.id;
  }

  #assertNoRestore(directory: string): void {
    if (this.#services.inRestore.isHeld(directory))
      throw workspaceBusy("A restore runs there. Try again when it has ended.");
  }

  async #requireCheckpoint(actor: SessionActor, checkpoint: string): Promise<CheckpointView> {
    const history = await this.#history.historyOf(actor);
    const found = requireCheckpoint(history, checkpoint, actor.state.forkedFrom?.session);
    this.#history.assertHere(actor, history, found.id);
    return found;
  }

  async #restore(
    actor: SessionActor,
    workspace: Workspace,
    request: RestoreFiles,
    by: string,
  ): Promise<RestoreAnswer> {
    const { checkpoint, files = true, conversation = false, preview = false } = request;
    const paths = normalizePaths(actor.state.cwd, request.paths);
    const history = await this.#history.historyOf(actor);
    const target = requireCheckpoint(history, checkpoint, actor.state.forkedFrom?.session);
    const message = conversation ? await this.#firstPrompt(actor, history.promptsSince(target)) : undefined;
    const rewound = message !== undefined && { rewound: message };
    if (!files) {
      if (message !== undefined && !preview) await this.#rewinds.run(actor, message, by);
      return { restored: [], changes: [], ...rewound };
    }
    const spans = await this.#history.spansSince(actor, history, target);
    const wanted = { target: target.id, spans, request: { ...request, paths }, by };
    const answer = preview
      ? await this.#preview(actor, workspace, wanted)
      : message === undefined
        ? await this.#restoreFiles(actor, workspace, wanted)
        : await this.#rewinds.prepared(actor, message, by, (rewind) =>
            this.#restoreFiles(actor, workspace, wanted, { message, ...rewind }),
          );
    return { ...answer, ...rewound };
  }

  async #preview(actor: SessionActor, workspace: Workspace, wanted: WantedFiles): Promise<RestoreAnswer> {
    const plan = await requestPlan(actor, workspace, wanted);
    const { cwd: directory } = actor.state;
    let changes: FileDifference[];
    try {
      assertSomeMatch(plan, wanted.request);
      changes = await workspace.comparePlan({ directory, plan });
    } finally {
      await this.#discard(actor, workspace, plan.checkpoint);
    }
    const isRefused = wanted.request.onConflict !== "keep" && plan.conflicts.length > 0;
    return {
      restored: plan.changes.map(({ path }) => path),
      checkpoint: plan.checkpoint,
      changes: await this.#history.bounded(actor, changes),
      ...(!isRefused && plan.conflicts.length > 0 && { kept: [...plan.conflicts] }),
      ...(isRefused && { conflicts: [...plan.conflicts] }),
      expect: digestOf(plan),
    };
  }

  /** What can be refused comes first; then the log has files and conversation at once; then both are done. */
  async #restoreFiles(
    actor: SessionActor,
    workspace: Workspace,
    wanted: WantedFiles & { by: string },
    rewind?: PreparedRewind & { message: string },
  ): Promise<RestoreAnswer> {
    const { log } = actor;
    const { by } = wanted;
    const { cwd: directory } = actor.state;
    const plan = await requestPlan(actor, workspace, wanted);
    try {
      assertAsAsked(plan, wanted.request);
      assertSomeMatch(plan, wanted.request);
      await this.#assertNoWorkElsewhere(directory);
      const others = await this.#sessions.all();
      // From here to the log nothing else runs. An agent may have begun a turn by itself, or somebody closed the session.
      assertUsable(actor);
      for (const other of new Set([actor, ...others])) assertNotWorking(other, directory, { isHeld: true });
      rewind?.assertPossible();
    } catch (error) {
      // A checkpoint that nothing was done after is of no use to anybody.
      await this.#discard(actor, workspace, plan.checkpoint);
      throw error;
    }
    log.act((machine) => {
      rewind?.record(machine);
      const keptAt = workspace.placeOf?.(directory);
      recordCheckpoint(machine, { id: plan.checkpoint, uncovered: [], keptAt }, { kind: "restore", by });
      machine.emit({
        type: "restore.started",
        checkpoint: wanted.target,
        before: plan.checkpoint,
        changes: [...plan.changes],
        ...(plan.conflicts.length > 0 && { kept: plan.conflicts.slice(0, MAX_NAMED_FILES) }),
        ...(rewind && { rewound: rewind.message }),
        by,
      });
    });
    const telling = rewind?.tellAgent();
    await log.flush();
    await telling;
    const started = actor.state.restore;
    if (!started) throw new Error("the restore did not begin");
    const done = await carryOutRestore(log, actor.checkpoints, workspace, started);
    const pair = { from: plan.checkpoint, to: done.after?.id ?? wanted.target };
    // Everything went back: that this cannot be shown is no failure.
    const changes = await compareFiles(workspace, { directory, ...pair }, done.restored).catch((error) => {
      this.#warn(actor, error, "what a restore changed cannot be shown");
      return [];
    });
    const kept = [...plan.conflicts, ...done.kept];
    return {
      restored: [...done.restored],
      checkpoint: plan.checkpoint,
      changes: await this.#history.bounded(actor, changes),
      ...(kept.length > 0 && { kept }),
    };
  }

  /** The approval stands. Without this its checkpoint goes when it is old. */
  async #keep(actor: SessionActor, workspace: Workspace, checkpoint: string): Promise<void> {
    const { id: session, cwd: directory } = actor.state;
    await workspace
      .keep({ session, directory, checkpoint })
      .catch((error) => this.#warn(actor, error, "the checkpoint of an approval cannot be kept"));
  }

  /** Never rejects: it is done after something that matters more. */
  async #discard(actor: SessionActor, workspace: Workspace, checkpoint: string): Promise<void> {
    const { id: session, cwd: directory } = actor.state;
    await workspace
      .discard({ session, directory, checkpoint })
      .catch((error) => this.#warn(actor, error, "a checkpoint that nobody needs cannot be discarded"));
  }

  #warn({ state }: SessionActor, error: unknown, text: string): void {
    this.#services.logger.warn({ err: error, session: state.id }, text);
  }

  /** The first of them that is still part of the conversation. */
  async #firstPrompt({ state }: SessionActor, messages: readonly string[]): Promise<string | undefined> {
    for (const message of messages) {
      const row = await this.#services.store.getMessage(state.id, message);
      if (row?.position !== undefined && row.rewoundAt === undefined) return message;
    }
    return undefined;
  }
}

/** Throws if the session was deleted or closed. */
function assertUsable({ log, state, steps }: SessionActor): void {
  log.assertAlive();
  assertOpen(state, steps.hasEnded);
}

/**
 * While the directory is held, a prompt that is being prepared waits for its release. A turn that waits for a person counts,
 * too: it may end or go on at any moment, and its end takes all that has changed since its beginning for its own.
 */
function assertNotWorking({ state, steps }: SessionActor, directory: string, { isHeld = false } = {}): void {
  if (!overlap(state.cwd, directory)) return;
  if (state.turn || state.restore || (steps.isTakingCheckpoint && !isHeld))
    throw workspaceBusy(
      `Session "${state.id}" works there, or waits for an answer. Stop it, or try again when its turn has ended.`,
      { id: state.id, title: state.title },
    );
}
