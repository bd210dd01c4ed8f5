/** A workspace that keeps copies of small text files in memory, for tests of what is around it. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FileDifference, RestorePlan, RestoreRequest, Workspace } from "../../core/workspace.ts";

type Files = ReadonlyMap<string, string>;

export class CopyingWorkspace implements Workspace {
  readonly copies = new Map<string, Files>();
  readonly forgotten: string[] = [];
  readonly kept: string[] = [];
  collections = 0;
  /** The paths of each comparison that diffs were made for. */
  readonly compared: (readonly string[] | undefined)[] = [];
  obstacleText: string | undefined;
  /** Called before each capture; what it rejects with is the capture's failure. */
  onCapture: (() => Promise<void>) | undefined;
  /** Called before each step of a restore. */
  onApply: (() => Promise<void>) | undefined;
  #count = 0;

  async obstacle(): Promise<string | undefined> {
    return this.obstacleText;
  }

  async capture({ session, directory }: { session: string; directory: string }) {
    await this.onCapture?.();
    this.#count += 1;
    const id = `${session}-${this.#count}`;
    this.copies.set(id, readFiles(directory));
    return { id, uncovered: [] };
  }

  async findChangedPaths({ pairs }: { pairs: readonly { from: string; to: string }[] }) {
    return pairs.map(({ from, to }) => this.#differences(from, to).map(({ path }) => path));
  }

  async compare(request: { from: string; to: string; paths?: readonly string[]; withBase?: boolean }) {
    const { from, to, paths, withBase } = request;
    this.compared.push(paths);
    return this.#differences(from, to)
      .filter(({ path }) => isWanted(path, paths))
      .map(({ path, before, after }): FileDifference => {
        const status = before === undefined ? "added" : after === undefined ? "deleted" : "modified";
        const diff = diffOf(before, after);
        return {
          path,
          status,
          additions: 1,
          deletions: 1,
          diff,
          ...(withBase && before !== undefined && { base: before }),
        };
      });
  }

  async plan({ session, directory, target, turns, paths, onConflict }: RestoreRequest): Promise<RestorePlan> {
    const { id: checkpoint } = await this.capture({ session, directory });
    const left = new Map<string, string | undefined>();
    for (const turn of turns) {
      if ("changes" in turn) for (const { path, to } of turn.changes) left.set(path, to?.id);
      else
        for (const { path, after } of this.#differences(turn.before, turn.after))
          if (!turn.foreign?.includes(path)) left.set(path, turn.mixed?.includes(path) ? "mixed" : after);
    }
    const wanted = this.#differences(target, checkpoint).filter(
      ({ path }) => left.has(path) && isWanted(path, paths),
    );
    const isConflict = (change: { path: string; after?: string }) => left.get(change.path) !== change.after;
    const conflicts = wanted.filter(isConflict).map(({ path }) => path);
    const done = onConflict === "overwrite" ? wanted : wanted.filter((change) => !isConflict(change));
    const changes = done.map(({ path, before, after }) => ({
      path,
      ...(after !== undefined && { from: { mode: "100644", id: after } }),
      ...(before !== undefined && { to: { mode: "100644", id: before } }),
    }));
    return { checkpoint, changes, conflicts: onConflict === "overwrite" ? [] : conflicts };
  }

  async apply({ directory, plan }: { directory: string; plan: RestorePlan }) {
    const restored: string[] = [];
    for (const { path, to } of plan.changes) {
      await this.onApply?.();
      const file = join(directory, path);
      if (to === undefined) rmSync(file, { force: true });
      else {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, to.id);
      }
      restored.push(path);
    }
    return { restored, kept: [] };
  }

  async findDone({ directory, plan }: { directory: string; plan: RestorePlan }) {
    const files = readFiles(directory);
    return plan.changes.filter(({ path, to }) => files.get(path) === to?.id).map(({ path }) => path);
  }

  async comparePlan({ plan }: { plan: RestorePlan }) {
    return plan.changes.map(({ path, from, to }): FileDifference => {
      const status = from === undefined ? "added" : to === undefined ? "deleted" : "modified";
      const diff = diffOf(from?.id, to?.id);
      return { path, status, additions: 1, deletions: 1, diff };
    });
  }

  async findKept(_directory: string, checkpoints: readonly string[]) {
    return new Set(checkpoints.filter((id) => this.copies.has(id)));
  }

  async discard({ checkpoint }: { checkpoint: string }): Promise<void> {
    this.copies.delete(checkpoint);
  }

  async keep({ checkpoint }: { checkpoint: string }): Promise<void> {
    this.kept.push(checkpoint);
  }

  async forget(session: string): Promise<void> {
    this.forgotten.push(session);
  }

  async usage() {
    return [];
  }

  async collectGarbage() {
    this.collections += 1;
    return { dropped: 0, failed: [] };
  }

  #differences(from: string, to: string) {
    const [before, after] = [this.copies.get(from), this.copies.get(to)];
    if (!before || !after) throw new Error(`there is no checkpoint ${before ? to : from}`);
    return [...new Set([...before.keys(), ...after.keys()])]
      .sort()
      .map((path) => ({ path, before: before.get(path), after: after.get(path) }))
      .filter((change) => change.before !== change.after);
  }
}

/** All lines of both, as they stand in a unified diff. */
function diffOf(before = "", after = ""): string {
  const marked = (mark: string, text: string) => text.split("\n").map((line) => `${mark}${line}\n`);
  return [...marked("-", before), ...marked("+", after)].join("");
}

function isWanted(path: string, paths: readonly string[] | undefined): boolean {
  return paths === undefined || paths.some((wanted) => path === wanted || path.startsWith(`${wanted}/`));
}

function readFiles(directory: string): Files {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const file = join(entry.parentPath, entry.name);
        return [file.slice(directory.length + 1), readFileSync(file, "utf8")];
      }),
  );
}
