/** What clients can do with the checkpoints of a session: list them, see what changed, go back, approve. */
import { createHash } from "node:crypto";
import { InterlinguaError } from "../core/error.ts";
import type {
  CheckpointPair,
  FileDifference,
  RestorePlan,
  RestoreRequest,
  TurnSpan,
  Workspace,
} from "../core/workspace.ts";
import { bridgeGaps } from "./bridge-gaps.ts";
import { carryOutRestore } from "./carry-out-restore.ts";
import { CheckpointHistory, type CheckpointView, type Span } from "./checkpoint-history.ts";
import { overlap } from "./directories-in-restore.ts";
import type { ChangesQuery, RestoreAnswer, RestoreFiles } from "./engine.ts";
import type { Services } from "./engine-services.ts";
import { errorText } from "./error-text.ts";
import { KeyedQueue } from "./keyed-queue.ts";
import type { SessionActor } from "./session-actor.ts";
import { assertOpen } from "./session-assertions.ts";
import { MAX_NAMED_FILES, record } from "./session-checkpoints.ts";
import type { SessionDirectory } from "./session-directory.ts";

/** Diffs and former contents of one answer together, in characters. */
const MAX_ANSWER_LENGTH = 16 * 1024 * 1024;
/** A plan stands in the log as one event. A larger one has to be done in parts. */
const MAX_PLANNED_FILES = 20_000;

export interface FileHistoryOptions {
  services: Services;
  sessions: SessionDirectory;
  /** Takes the conversation back to before a message. */
  rewind(session: string, before: string): Promise<unknown>;
}

export class FileHistory {
  readonly #services: Services;
  readonly #sessions: SessionDirectory;
  readonly #rewind: FileHistoryOptions["rewind"];
  /** Restores and approvals of a session, one after the other. */
  readonly #queue = new KeyedQueue();
  /** Each goes with its actor: it is read from the log again after that was dropped. */
  readonly #histories = new WeakMap<SessionActor, CheckpointHistory>();

  constructor({ services, sessions, rewind }: FileHistoryOptions) {
    this.#services = services;
    this.#sessions = sessions;
    this.#rewind = rewind;
  }

  async checkpoints(session: string): Promise<CheckpointView[]> {
    const actor = await this.#sessions.get(session);
    const { checkpoints } = await this.#historyOf(actor);
    const kept = await this.#findKept(actor, checkpoints).catch(() => undefined);
    return checkpoints.map((each) => (!kept || kept.has(each.id) ? each : { ...each, dropped: true }));
  }

  async changes(session: string, query: ChangesQuery): Promise<FileDifference[]> {
    const actor = await this.#sessions.get(session);
    const workspace = await requireWorkspace(actor);
    return await this.#bounded(actor, await explained(this.#changes(actor, workspace, query)));
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
      const { paths } = await this.#findChanged(actor, workspace, {});
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
      actor.log.act((machine) => record(machine, checkpoint, { kind: "approved" }));
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
      assertOpen(actor.state, actor.prompts.hasEnded);
      const workspace = await requireWorkspace(actor);
      const { cwd } = actor.state;
      const others = await this.#sessions.all();
      // From here to `hold` nothing else runs.
      for (const other of new Set([actor, ...others])) assertNotWorking(other, cwd);
      if (this.#services.inRestore.isHeld(cwd))
        throw busy("A restore runs there. Try again when it has ended.");
      const release = this.#services.inRestore.hold(cwd);
      try {
        return await explained(work(actor, workspace));
      } finally {
        release();
        actor.prompts.advance();
      }
    });
  }

  async #restore(actor: SessionActor, workspace: Workspace, request: RestoreFiles): Promise<RestoreAnswer> {
    const { checkpoint, files = true, conversation = false, onConflict = "refuse" } = request;
    const history = await this.#historyOf(actor);
    const target = requireCheckpoint(history, checkpoint, actor.state.forkedFrom?.session);
    const message = conversation ? await this.#firstPrompt(actor, history.promptsSince(target)) : undefined;
    const { id: session, cwd: directory } = actor.state;
    if (!files) {
      if (message !== undefined && !request.preview) await this.#rewind(session, message);
      return { restored: [], changes: [], ...(message !== undefined && { rewound: message }) };
    }
    const turns = (await this.#spansSince(actor, history, target)).map(toTurn);
    const { paths } = request;
    const plan = await workspace.plan({ session, directory, target: target.id, turns, paths, onConflict });
    const answer = async (
      changes: FileDifference[],
      restored: readonly string[],
      kept: readonly string[],
    ) => ({
      restored: [...restored],
      checkpoint: plan.checkpoint,
      changes: await this.#bounded(actor, changes),
      ...(kept.length > 0 && { kept: [...kept] }),
      ...(message !== undefined && { rewound: message }),
    });
    // One that nothing was done after is of no use to anybody.
    const discard = () => workspace.discard({ session, directory, checkpoint: plan.checkpoint });
    if (request.preview) {
      const names = plan.changes.map(({ path }) => path);
      const isRefused = onConflict !== "keep" && plan.conflicts.length > 0;
      const changes = await workspace.comparePlan({ directory, plan }).finally(discard);
      return {
        ...(await answer(changes, names, isRefused ? [] : plan.conflicts)),
        ...(isRefused && { conflicts: [...plan.conflicts] }),
        expect: digestOf(plan),
      };
    }
    try {
      assertAsAsked(plan, request);
      // Before the files: it can be refused.
      if (message !== undefined) await this.#rewind(session, message);
      const others = await this.#sessions.all();
      // From here to the log nothing else runs. An agent may have begun a turn by itself, or somebody closed the session.
      assertOpen(actor.state, actor.prompts.hasEnded);
      for (const other of new Set([actor, ...others])) assertNotWorking(other, directory, { isHeld: true });
    } catch (error) {
      await discard();
      throw error;
    }
    const { log } = actor;
    log.act((machine) => {
      record(machine, { id: plan.checkpoint, uncovered: [] }, { kind: "restore" });
      machine.emit({
        type: "restore.started",
        checkpoint: target.id,
        before: plan.checkpoint,
        changes: [...plan.changes],
        ...(plan.conflicts.length > 0 && { kept: plan.conflicts.slice(0, MAX_NAMED_FILES) }),
        ...(message !== undefined && { rewound: message }),
      });
    });
    await log.flush();
    const started = actor.state.restore;
    if (!started) throw new Error("the restore did not begin");
    const done = await carryOutRestore(log, actor.checkpoints, workspace, started);
    const to = done.after?.id ?? target.id;
    const changes = await changed(workspace, { directory, from: plan.checkpoint, to }, done.restored);
    return await answer(changes, done.restored, [...plan.conflicts, ...done.kept]);
  }

  /** What turns changed: of one, or of all since a checkpoint, up to the end of the last one. */
  async #changes(actor: SessionActor, workspace: Workspace, query: ChangesQuery): Promise<FileDifference[]> {
    const { pair, paths } = await this.#findChanged(actor, workspace, query);
    if (!pair) return [];
    const { cwd: directory } = actor.state;
    return changed(workspace, { directory, ...pair, withBase: query.withBase }, paths);
  }

  /** Between which checkpoints that is, and which files. */
  async #findChanged(
    actor: SessionActor,
    workspace: Workspace,
    query: ChangesQuery,
  ): Promise<{ pair?: CheckpointPair; paths: string[] }> {
    const history = await this.#historyOf(actor);
    const { cwd: directory } = actor.state;
    if (query.turn !== undefined) {
      const span = history.spanOf(query.turn);
      if (!span)
        throw notFound(
          `There are no checkpoints from before and after turn "${query.turn}". It may still run.`,
        );
      const kept = await workspace.findKept(directory, [span.before, span.after]);
      if (kept.size < 2) throw dropped(kept.has(span.before) ? span.after : span.before);
      return findTouched(workspace, directory, span.before, [span]);
    }
    const since = query.since ?? actor.state.pendingSince;
    if (since === undefined) return { paths: [] };
    const from = requireCheckpoint(history, since);
    return findTouched(workspace, directory, from.id, await this.#spansSince(actor, history, from));
  }

  /** What was done since a checkpoint that has to be there. Rejects if it is not. */
  async #spansSince(actor: SessionActor, history: CheckpointHistory, from: CheckpointView): Promise<Span[]> {
    const later = history.checkpoints.filter(({ seq }) => seq >= from.seq);
    const kept = await this.#findKept(actor, later);
    if (!kept.has(from.id)) throw dropped(from.id);
    const { cwd: directory } = actor.state;
    return bridgeGaps(history.spansSince(from), {
      from: from.id,
      last: later.findLast(({ id }) => kept.has(id))!.id,
      kept,
      changedBetween: async (one, other) => {
        const pairs = [{ from: one, to: other }];
        const [paths = []] = await this.#services.workspace!.findChangedPaths({ directory, pairs });
        return paths;
      },
    });
  }

  async #findKept(
    { state }: SessionActor,
    checkpoints: readonly CheckpointView[],
  ): Promise<ReadonlySet<string>> {
    const ids = checkpoints.map(({ id }) => id);
    return (await this.#services.workspace?.findKept(state.cwd, ids)) ?? new Set(ids);
  }

  async #historyOf(actor: SessionActor): Promise<CheckpointHistory> {
    const history = this.#histories.get(actor) ?? new CheckpointHistory();
    this.#histories.set(actor, history);
    await actor.log.durable();
    await history.update(this.#services.store, actor.state.id);
    return history;
  }

  /** The first of them that is still part of the conversation. */
  async #firstPrompt({ state }: SessionActor, messages: readonly string[]): Promise<string | undefined> {
    for (const message of messages) {
      const row = await this.#services.store.getMessage(state.id, message);
      if (row?.position !== undefined && row.rewoundAt === undefined) return message;
    }
    return undefined;
  }

  /** Masked like the log, and not longer than an answer may be. */
  async #bounded(actor: SessionActor, changes: readonly FileDifference[]): Promise<FileDifference[]> {
    const masked: FileDifference[] = [];
    let length = 0;
    for (const change of changes) {
      length += (change.diff?.length ?? 0) + (change.base?.length ?? 0);
      const { diff: _diff, base: _base, ...rest } = change;
      const isTooMuch = length > MAX_ANSWER_LENGTH;
      masked.push(await actor.maskedChange(isTooMuch ? { ...rest, tooLarge: true } : change));
      await this.#services.slices.pause();
    }
    return masked;
  }
}

/** Of a restore it is known what it did, whatever is left of its checkpoints. */
function toTurn({ before, after, foreign, mixed, changes }: Span): RestoreRequest["turns"][number] {
  return changes ? { changes } : { before, after, foreign, mixed };
}

/**
 * Files that differ between a checkpoint and the end of the last of these spans, and that one of them changed. Without what
 * another session's agent changed meanwhile.
 */
async function findTouched(
  workspace: Workspace,
  directory: string,
  from: string,
  spans: readonly TurnSpan[],
): Promise<{ pair?: CheckpointPair; paths: string[] }> {
  const last = spans.at(-1);
  if (!last) return { paths: [] };
  const pair = { from, to: last.after };
  const pairs = [pair, ...spans.map(({ before, after }) => ({ from: before, to: after }))];
  const [differing = [], ...bySpan] = await workspace.findChangedPaths({ directory, pairs });
  const touched = new Set<string>();
  for (const [at, { foreign }] of spans.entries()) {
    const others = new Set(foreign);
    for (const path of bySpan[at]!) if (!others.has(path)) touched.add(path);
  }
  return { pair, paths: differing.filter((path) => touched.has(path)) };
}

/** Of exactly these files. */
async function changed(
  workspace: Workspace,
  request: CheckpointPair & { directory: string; withBase?: boolean },
  paths: readonly string[],
): Promise<FileDifference[]> {
  if (paths.length === 0) return [];
  const wanted = new Set(paths);
  // A name may be that of a directory by now.
  return (await workspace.compare({ ...request, paths })).filter(({ path }) => wanted.has(path));
}

/** Throws if the plan is not what was asked for. */
function assertAsAsked(plan: RestorePlan, { onConflict = "refuse", expect }: RestoreFiles): void {
  const { changes, conflicts } = plan;
  if (expect !== undefined && expect !== digestOf(plan))
    throw conflict("Files changed since the preview. Look at a new one.", conflicts);
  if (onConflict !== "keep" && conflicts.length > 0) throw conflict(REFUSALS[onConflict], conflicts);
  if (changes.length > MAX_PLANNED_FILES) throw tooMany(changes.length);
}

/** Equal for equal plans, whatever the checkpoint before is called. */
function digestOf({ changes, conflicts }: RestorePlan): string {
  return createHash("sha256")
    .update(JSON.stringify([changes, conflicts]))
    .digest("hex")
    .slice(0, 32);
}

async function requireWorkspace(actor: SessionActor): Promise<Workspace> {
  const isServed =
    actor.checkpoints.workspace !== undefined && (await explained(actor.checkpoints.canServe()));
  const { workspace } = actor.checkpoints;
  if (isServed && workspace) return workspace;
  const reason = actor.state.checkpointObstacle ?? "They are switched off for this session or this daemon.";
  throw new InterlinguaError("checkpoints_off", `The session has no checkpoints. ${reason}`);
}

/** While the directory is held, a prompt that is being prepared waits for its release. */
function assertNotWorking(
  { state, checkpoints }: SessionActor,
  directory: string,
  { isHeld = false } = {},
): void {
  if (!overlap(state.cwd, directory)) return;
  if (state.turn || state.restore || (checkpoints.isPreparing && !isHeld))
    throw busy(`Session "${state.id}" works there. Stop it, or try again when its turn has ended.`);
}

/** Whatever goes wrong in the workspace. */
async function explained<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (InterlinguaError.isInstance(error)) throw error;
    throw new InterlinguaError("workspace_failed", errorText(error), { cause: error });
  }
}

function requireCheckpoint(history: CheckpointHistory, id: string, origin?: string): CheckpointView {
  const checkpoint = history.find(id);
  if (checkpoint) return checkpoint;
  const remedy =
    origin === undefined ? "" : ` One from before the fork is a checkpoint of session "${origin}".`;
  throw notFound(`The session has no checkpoint "${id}". Ask for its checkpoints.${remedy}`);
}

function dropped(id: string): InterlinguaError {
  return notFound(
    `Checkpoint "${id}" is no longer kept: it was old, or there were too many. Take one that the list of checkpoints does not call dropped.`,
  );
}

/** Why nothing is done, by what was asked for. */
const REFUSALS = {
  refuse:
    "Somebody else has changed these files since. Say with `onConflict` whether to keep, merge or overwrite them.",
  merge:
    "These files cannot be merged: what the agent and somebody else changed overlaps, or is no text. Name others with `paths`, or say with `onConflict` whether to keep or overwrite them.",
  overwrite:
    "These files cannot go back: a checkpoint does not have them, or something that is ignored is in their place. Name others with `paths`, or keep them with `onConflict`.",
} as const;

function requirePending({ state }: SessionActor): string {
  if (state.pendingSince !== undefined) return state.pendingSince;
  throw notFound("The session has no checkpoint yet.");
}

function notFound(detail: string): InterlinguaError {
  return new InterlinguaError("checkpoint_not_found", detail);
}

function busy(detail: string): InterlinguaError {
  return new InterlinguaError("workspace_busy", detail);
}

function conflict(detail: string, paths: readonly string[]): InterlinguaError {
  return new InterlinguaError("workspace_conflict", detail, { paths });
}

function tooMany(count: number): InterlinguaError {
  const detail = `${count} files would go back; ${MAX_PLANNED_FILES} can at once. Name some with \`paths\`.`;
  return new InterlinguaError("invalid_request", detail, { errors: [{ path: "paths", message: detail }] });
}
