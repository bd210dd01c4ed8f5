/** What clients can see of the checkpoints of a session: which there are, and what changed between them. */
import type { FileDifference, TurnSpan, Workspace } from "../core/workspace.ts";
import { bridgeGaps } from "./bridge-gaps.ts";
import { CheckpointHistory, type CheckpointView, type Span } from "./checkpoint-history.ts";
import type { ChangesQuery } from "./engine.ts";
import type { Services } from "./engine-services.ts";
import type { SessionActor } from "./session-actor.ts";
import type { SessionDirectory } from "./session-directory.ts";
import {
  checkpointDropped,
  checkpointNotFound,
  explained,
  requireCheckpoint,
  requireWorkspace,
} from "./workspace-refusals.ts";

/** Diffs and former contents of one answer together, in characters. */
const MAX_ANSWER_LENGTH = 16 * 1024 * 1024;

export class FileHistory {
  readonly #services: Pick<Services, "store" | "workspace">;
  readonly #sessions: SessionDirectory;
  /** Each goes with its actor: it is read from the log again after that was dropped. */
  readonly #histories = new WeakMap<SessionActor, CheckpointHistory>();

  constructor(services: Pick<Services, "store" | "workspace">, sessions: SessionDirectory) {
    this.#services = services;
    this.#sessions = sessions;
  }

  async checkpoints(session: string): Promise<CheckpointView[]> {
    const actor = await this.#sessions.get(session);
    const { checkpoints } = await this.historyOf(actor);
    const kept = await this.#findKept(actor, checkpoints).catch(() => undefined);
    return checkpoints.map((each) => (!kept || kept.has(each.id) ? each : { ...each, dropped: true }));
  }

  async changes(session: string, query: ChangesQuery): Promise<FileDifference[]> {
    const actor = await this.#sessions.get(session);
    const workspace = await requireWorkspace(actor);
    return this.bounded(actor, await explained(this.changesOf(actor, workspace, query)));
  }

  /** What turns changed: of one, or of all since a checkpoint, up to the end of the last one. */
  async changesOf(actor: SessionActor, workspace: Workspace, query: ChangesQuery): Promise<FileDifference[]> {
    const history = await this.historyOf(actor);
    const { cwd: directory } = actor.state;
    const { withBase } = query;
    if (query.turn !== undefined) {
      const span = history.spanOf(query.turn);
      if (!span)
        throw checkpointNotFound(
          `There are no checkpoints from before and after turn "${query.turn}". It may still run.`,
        );
      const kept = await workspace.findKept(directory, [span.before, span.after]);
      if (kept.size < 2) throw checkpointDropped(kept.has(span.before) ? span.after : span.before);
      return this.#ofTurn(workspace, span, { directory, withBase });
    }
    const since = query.since ?? actor.state.pendingSince;
    if (since === undefined) return [];
    const from = requireCheckpoint(history, since);
    const spans = await this.spansSince(actor, history, from);
    const last = spans.at(-1);
    if (!last) return [];
    const touched = new Set<string>();
    for (const span of spans)
      for (const { path } of await this.#ofTurn(workspace, span, { directory })) touched.add(path);
    return compareFiles(workspace, { directory, from: from.id, to: last.after, withBase }, [...touched]);
  }

  /** What was done since a checkpoint that has to be there. Rejects if it is not. */
  async spansSince(actor: SessionActor, history: CheckpointHistory, from: CheckpointView): Promise<Span[]> {
    const later = history.checkpoints.filter(({ seq }) => seq >= from.seq);
    const kept = await this.#findKept(actor, later);
    if (!kept.has(from.id)) throw checkpointDropped(from.id);
    const { cwd: directory } = actor.state;
    return bridgeGaps(history.spansSince(from), {
      from: from.id,
      last: later.findLast(({ id }) => kept.has(id))!.id,
      kept,
      changedBetween: async (one, other) => {
        const changes = await this.#services.workspace!.compare({ directory, from: one, to: other });
        return changes.map(({ path }) => path);
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

  /** Without what another session's agent changed meanwhile. */
  async #ofTurn(
    workspace: Workspace,
    { before, after, foreign = [] }: TurnSpan,
    request: { directory: string; withBase?: boolean },
  ): Promise<FileDifference[]> {
    const changes = await workspace.compare({ ...request, from: before, to: after });
    const others = new Set(foreign);
    return changes.filter(({ path }) => !others.has(path));
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
  bounded(actor: SessionActor, changes: readonly FileDifference[]): FileDifference[] {
    let length = 0;
    return changes.map((change) => {
      length += (change.diff?.length ?? 0) + (change.base?.length ?? 0);
      if (length <= MAX_ANSWER_LENGTH) return actor.maskedChange(change);
      const { diff: _diff, base: _base, ...rest } = change;
      return { ...rest, tooLarge: true };
    });
  }
}

/** What differs in these files. */
export function compareFiles(
  workspace: Workspace,
  request: { directory: string; from: string; to: string; withBase?: boolean },
  paths: readonly string[],
): Promise<FileDifference[]> {
  return paths.length === 0 ? Promise.resolve([]) : workspace.compare({ ...request, paths });
}
