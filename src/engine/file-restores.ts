/** Going back: restores, resets and approvals, each while nothing else works on the files. */
import type { Workspace } from "../core/workspace.ts";
import { carryOutRestore } from "./carry-out-restore.ts";
import type { PreparedRewind } from "./conversation-rewind.ts";
import { overlap } from "./directories-in-restore.ts";
import type { RestoreAnswer, RestoreFiles } from "./engine.ts";
import type { Services } from "./engine-services.ts";
import { compareFiles, type FileHistory } from "./file-history.ts";
import { KeyedQueue } from "./keyed-queue.ts";
import { MAX_NAMED_FILES, recordCheckpoint } from "./record-checkpoint.ts";
import { assertAsAsked, digestOf, discardPlan, requestPlan, type WantedFiles } from "./restore-plan.ts";
import type { Rewinds } from "./rewinds.ts";
import type { SessionActor } from "./session-actor.ts";
import { assertOpen } from "./session-assertions.ts";
import type { SessionDirectory } from "./session-directory.ts";
import {
  checkpointNotFound,
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

  restore(session: string, request: RestoreFiles): Promise<RestoreAnswer> {
    return this.#alone(session, (actor, workspace) => this.#restore(actor, workspace, request));
  }

  /** Back to the last approval. */
  reset(session: string, request: Omit<RestoreFiles, "checkpoint">): Promise<RestoreAnswer> {
    return this.#alone(session, (actor, workspace) => {
      const checkpoint = requirePending(actor);
      return this.#restore(actor, workspace, { ...request, checkpoint });
    });
  }

  approve(session: string): Promise<{ checkpoint: string; changes: number }> {
    return this.#alone(session, async (actor, workspace) => {
      const { paths } = await this.#history.findChanged(actor, workspace, {});
      const checkpoint = await actor.checkpoints.take();
      const { id: session, cwd: directory } = actor.state;
      const place = { session, directory, checkpoint: checkpoint.id };
      try {
        await workspace.keep(place);
        assertOpen(actor.state, actor.prompts.hasEnded);
      } catch (error) {
        await workspace.discard(place);
        throw error;
      }
      actor.log.act((machine) => recordCheckpoint(machine, checkpoint, { kind: "approved" }));
      await actor.log.durable();
      return { checkpoint: checkpoint.id, changes: paths.length };
    });
  }

  /** Nothing of any session works in the directory meanwhile. */
  #alone<Result>(
    session: string,
    work: (actor: SessionActor, workspace: Workspace) => Promise<Result>,
  ): Promise<Result> {
    return this.#queue.run(session, async () => {
      const actor = await this.#sessions.get(session);
      using _loaded = actor.keepLoaded();
      assertOpen(actor.state, actor.prompts.hasEnded);
      const workspace = await requireWorkspace(actor);
      const { cwd } = actor.state;
      const others = await this.#sessions.all();
      // From here to `hold` nothing else runs.
      for (const other of new Set([actor, ...others])) assertNotWorking(other, cwd);
      if (this.#services.inRestore.isHeld(cwd))
        throw workspaceBusy("A restore runs there. Try again when it has ended.");
      const release = this.#services.inRestore.hold(cwd, session);
      try {
        return await explained(work(actor, workspace));
      } finally {
        release();
        actor.prompts.advance();
      }
    });
  }

  async #restore(actor: SessionActor, workspace: Workspace, request: RestoreFiles): Promise<RestoreAnswer> {
    const { checkpoint, files = true, conversation = false, preview = false } = request;
    const history = await this.#history.historyOf(actor);
    const target = requireCheckpoint(history, checkpoint, actor.state.forkedFrom?.session);
    const message = conversation ? await this.#firstPrompt(actor, history.promptsSince(target)) : undefined;
    const rewound = message !== undefined && { rewound: message };
    if (!files) {
      if (message !== undefined && !preview) await this.#rewinds.run(actor, message);
      return { restored: [], changes: [], ...rewound };
    }
    const spans = await this.#history.spansSince(actor, history, target);
    const wanted = { target: target.id, spans, request };
    const answer = preview
      ? await this.#preview(actor, workspace, wanted)
      : message === undefined
        ? await this.#restoreFiles(actor, workspace, wanted)
        : await this.#rewinds.prepared(actor, message, (rewind) =>
            this.#restoreFiles(actor, workspace, wanted, { message, ...rewind }),
          );
    return { ...answer, ...rewound };
  }

  async #preview(actor: SessionActor, workspace: Workspace, wanted: WantedFiles): Promise<RestoreAnswer> {
    const plan = await requestPlan(actor, workspace, wanted);
    const { cwd: directory } = actor.state;
    const changes = await workspace
      .comparePlan({ directory, plan })
      .finally(() => discardPlan(actor, workspace, plan));
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
    wanted: WantedFiles,
    rewind?: PreparedRewind & { message: string },
  ): Promise<RestoreAnswer> {
    const { log } = actor;
    const { cwd: directory } = actor.state;
    const plan = await requestPlan(actor, workspace, wanted);
    try {
      assertAsAsked(plan, wanted.request);
      const others = await this.#sessions.all();
      // From here to the log nothing else runs. An agent may have begun a turn by itself, or somebody closed the session.
      actor.log.assertAlive();
      assertOpen(actor.state, actor.prompts.hasEnded);
      for (const other of new Set([actor, ...others])) assertNotWorking(other, directory, { isHeld: true });
      rewind?.assertPossible();
    } catch (error) {
      // A checkpoint that nothing was done after is of no use to anybody.
      await discardPlan(actor, workspace, plan);
      throw error;
    }
    log.act((machine) => {
      rewind?.record(machine);
      recordCheckpoint(machine, { id: plan.checkpoint, uncovered: [] }, { kind: "restore" });
      machine.emit({
        type: "restore.started",
        checkpoint: wanted.target,
        before: plan.checkpoint,
        changes: [...plan.changes],
        ...(plan.conflicts.length > 0 && { kept: plan.conflicts.slice(0, MAX_NAMED_FILES) }),
        ...(rewind && { rewound: rewind.message }),
      });
    });
    const telling = rewind?.tellAgent();
    await log.flush();
    await telling;
    const started = actor.state.restore;
    if (!started) throw new Error("the restore did not begin");
    const done = await carryOutRestore(log, actor.checkpoints, workspace, started);
    const to = done.after?.id ?? wanted.target;
    const changes = await compareFiles(workspace, { directory, from: plan.checkpoint, to }, done.restored);
    const kept = [...plan.conflicts, ...done.kept];
    return {
      restored: [...done.restored],
      checkpoint: plan.checkpoint,
      changes: await this.#history.bounded(actor, changes),
      ...(kept.length > 0 && { kept }),
    };
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

/** While the directory is held, a prompt that is being prepared waits for its release. */
function assertNotWorking(
  { state, checkpoints }: SessionActor,
  directory: string,
  { isHeld = false } = {},
): void {
  if (!overlap(state.cwd, directory)) return;
  if (state.turn || state.restore || (checkpoints.isPreparing && !isHeld))
    throw workspaceBusy(`Session "${state.id}" works there. Stop it, or try again when its turn has ended.`);
}

function requirePending({ state }: SessionActor): string {
  if (state.pendingSince !== undefined) return state.pendingSince;
  throw checkpointNotFound("The session has no checkpoint yet.");
}
