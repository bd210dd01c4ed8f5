/** What clients can see of the checkpoints of a session: which there are, and what changed between them. */
import type { CheckpointPair, FileDifference, Workspace } from "../../core/workspace.ts";
import type { Services } from "../engine-services.ts";
import type { SessionActor } from "../session/session-actor.ts";
import type { SessionDirectory } from "../session/session-directory.ts";
import { bridgeGaps } from "./bridge-gaps.ts";
import { CheckpointHistory, type CheckpointView, type Span } from "./checkpoint-history.ts";
import {
  checkpointDropped,
  checkpointNotFound,
  explained,
  keptElsewhere,
  requireCheckpoint,
  requireWorkspace,
} from "./workspace-refusals.ts";

/** Diffs and former contents of one answer together, in characters. */
const MAX_ANSWER_LENGTH = 16 * 1024 * 1024;

/** Of one turn, or of all since a checkpoint; else since the last approval. */
interface WantedChanges {
  turn?: string;
  since?: string;
  /** With what the files held before. */
  withBase?: boolean;
}

export class FileHistory {
  readonly #services: Pick<Services, "store" | "workspace" | "slices">;
  readonly #sessions: SessionDirectory;
  /** Each goes with its actor: it is read from the log again after that was dropped. */
  readonly #histories = new WeakMap<SessionActor, CheckpointHistory>();

  constructor(services: Pick<Services, "store" | "workspace" | "slices">, sessions: SessionDirectory) {
    this.#services = services;
    this.#sessions = sessions;
  }

  async checkpoints(session: string): Promise<CheckpointView[]> {
    const actor = await this.#sessions.get(session);
    const history = await this.historyOf(actor);
    const here = history.checkpoints.filter(({ id }) => this.#elsewhere(actor, history, id) === undefined);
    const kept = await this.#findKept(actor, here).catch(() => undefined);
    return history.checkpoints.map((each) => {
      const elsewhere = this.#elsewhere(actor, history, each.id);
      if (elsewhere !== undefined) return { ...each, elsewhere };
      return !kept || kept.has(each.id) ? each : { ...each, dropped: true };
    });
  }

  async changes(session: string, query: WantedChanges): Promise<FileDifference[]> {
    const actor = await this.#sessions.get(session);
    const workspace = await requireWorkspace(actor);
    return await this.bounded(actor, await explained(this.#changesOf(actor, workspace, query)));
  }

  /** What turns changed: of one, or of all since a checkpoint, up to the end of the last one. */
  async #changesOf(
    actor: SessionActor,
    workspace: Workspace,
    query: WantedChanges,
  ): Promise<FileDifference[]> {
    const { pair, paths } = await this.findChanged(actor, workspace, query);
    if (!pair) return [];
    const { cwd: directory } = actor.state;
    return compareFiles(workspace, { directory, ...pair, withBase: query.withBase }, paths);
  }

  /** Between which checkpoints that is, and which files. */
  async findChanged(
    actor: SessionActor,
    workspace: Workspace,
    query: WantedChanges,
  ): Promise<{ pair?: CheckpointPair; paths: string[] }> {
    const history = await this.historyOf(actor);
    const { cwd: directory } = actor.state;
    if (query.turn !== undefined) {
      const span = history.spanOf(query.turn);
      if (!span)
        throw checkpointNotFound(
          `There are no checkpoints from before and after turn "${query.turn}". It may still run.`,
        );
      for (const id of [span.before, span.after]) this.assertHere(actor, history, id);
      const kept = await workspace.findKept(directory, [span.before, span.after]);
      if (kept.size < 2) throw checkpointDropped(kept.has(span.before) ? span.after : span.before);
      return findTouched(workspace, directory, span.before, [span]);
    }
    const since = query.since ?? actor.state.pendingSince;
    if (since === undefined) return { paths: [] };
    const from = requireCheckpoint(history, since);
    return findTouched(workspace, directory, from.id, await this.spansSince(actor, history, from));
  }

  /** How many files an approval accepts. If the checkpoint of the last one is gone: since the first one after it that is there. */
  async countPending(actor: SessionActor, workspace: Workspace): Promise<number> {
    const { pendingSince, cwd } = actor.state;
    const history = await this.historyOf(actor);
    const mark = pendingSince === undefined ? undefined : history.find(pendingSince);
    if (!mark) return 0;
    const ids = history.checkpoints.filter(({ seq }) => seq >= mark.seq).map(({ id }) => id);
    const kept = await workspace.findKept(cwd, ids);
    const since = ids.find((id) => kept.has(id));
    if (since === undefined) return 0;
    return (await this.findChanged(actor, workspace, { since })).paths.length;
  }

  /** What was done since a checkpoint that has to be there. Rejects if it is not. */
  async spansSince(actor: SessionActor, history: CheckpointHistory, from: CheckpointView): Promise<Span[]> {
    const later = history.checkpoints.filter(({ seq }) => seq >= from.seq);
    this.assertHere(actor, history, from.id);
    const kept = await this.#findKept(actor, later);
    if (!kept.has(from.id))
      throw checkpointDropped(from.id, { isMark: from.id === actor.state.pendingSince });
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

  /** Throws `checkpoint_elsewhere`. */
  assertHere(actor: SessionActor, history: CheckpointHistory, checkpoint: string): void {
    const place = this.#elsewhere(actor, history, checkpoint);
    if (place !== undefined) throw keptElsewhere(checkpoint, place);
  }

  /** The name of the place that keeps a checkpoint, if that is not here. */
  #elsewhere(actor: SessionActor, history: CheckpointHistory, checkpoint: string): string | undefined {
    const { access } = actor.log;
    if (access.missing === "files") return access.node;
    const place = history.placeOf(checkpoint);
    const isHere = place === undefined || this.#services.workspace?.hasPlace?.(place.id) !== false;
    return isHere ? undefined : place.name;
  }

  async #findKept(
    { state }: SessionActor,
    checkpoints: readonly CheckpointView[],
  ): Promise<ReadonlySet<string>> {
    const ids = checkpoints.map(({ id }) => id);
    return (await this.#services.workspace?.findKept(state.cwd, ids)) ?? new Set(ids);
  }

  /** With all that is in the log by now. */
  async historyOf(actor: SessionActor): Promise<CheckpointHistory> {
    const history = this.#histories.get(actor) ?? new CheckpointHistory();
    this.#histories.set(actor, history);
    await actor.log.durable();
    await history.update(this.#services.store, actor.state.id);
    return history;
  }

  /** Masked like the log, and not longer than an answer may be. */
  async bounded(actor: SessionActor, changes: readonly FileDifference[]): Promise<FileDifference[]> {
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

/**
 * Files that differ between a checkpoint and the end of the last of these spans, and that one of them changed. Without what
 * another session's agent changed meanwhile.
 */
async function findTouched(
  workspace: Workspace,
  directory: string,
  from: string,
  spans: readonly Span[],
): Promise<{ pair?: CheckpointPair; paths: string[] }> {
  const last = spans.at(-1);
  if (!last) return { paths: [] };
  const pair = { from, to: last.after };
  const pairs = [pair, ...spans.map(({ before, after }) => ({ from: before, to: after }))];
  const [differing = [], ...bySpan] = await workspace.findChangedPaths({ directory, pairs });
  const touched = new Set<string>();
  for (const [at, { foreign, changes }] of spans.entries()) {
    const others = new Set(foreign);
    for (const path of changes?.map((change) => change.path) ?? bySpan[at]!)
      if (!others.has(path)) touched.add(path);
  }
  return { pair, paths: differing.filter((path) => touched.has(path)) };
}

/** Of exactly these files. */
export async function compareFiles(
  workspace: Workspace,
  request: CheckpointPair & { directory: string; withBase?: boolean },
  paths: readonly string[],
): Promise<FileDifference[]> {
  if (paths.length === 0) return [];
  const wanted = new Set(paths);
  // A name may be that of a directory by now.
  return (await workspace.compare({ ...request, paths })).filter(({ path }) => wanted.has(path));
}
