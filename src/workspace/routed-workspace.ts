/**
 * The workspace of a node in a cluster: checkpoints of directories that nodes share may be kept where all of them see them,
 * those of all others are kept at this node. Each checkpoint says where it is.
 */
import type { Checkpoint, CheckpointPlace, Workspace } from "../core/workspace.ts";

export interface RoutedWorkspaceOptions {
  /** For directories of this node. */
  readonly local: PlacedWorkspace;
  /** For those that nodes share; the same one where these have no place in common. */
  readonly shared: PlacedWorkspace;
  /** Of a real path. */
  isShared(directory: string): boolean;
  /** Whether a session was not deleted. */
  isKnown(session: string): Promise<boolean>;
}

export interface PlacedWorkspace {
  readonly workspace: Workspace;
  readonly place: CheckpointPlace;
}

/** One may be made before its session is. */
const FORGOTTEN_AFTER_MS = 3_600_000;

export function routeWorkspace(options: RoutedWorkspaceOptions): Workspace {
  const { local, shared, isShared, isKnown } = options;
  const both = local.workspace === shared.workspace ? [local] : [local, shared];
  const placedOf = (directory: string) => (isShared(directory) ? shared : local);
  const of = ({ directory }: { directory: string }) => placedOf(directory).workspace;
  return {
    placeOf: (directory) => placedOf(directory).place,
    hasPlace: (id) => both.some(({ place }) => place.id === id),
    obstacle: (directory) => of({ directory }).obstacle(directory),
    async capture(request, signal): Promise<Checkpoint> {
      const { workspace, place } = placedOf(request.directory);
      return { ...(await workspace.capture(request, signal)), keptAt: place };
    },
    findKept: (directory, checkpoints) => of({ directory }).findKept(directory, checkpoints),
    keep: (request) => of(request).keep(request),
    discard: (request) => of(request).discard(request),
    findChangedPaths: (request, signal) => of(request).findChangedPaths(request, signal),
    compare: (request, signal) => of(request).compare(request, signal),
    plan: (request, signal) => of(request).plan(request, signal),
    comparePlan: (request) => of(request).comparePlan(request),
    apply: (request) => of(request).apply(request),
    findDone: (request) => of(request).findDone(request),
    async forget(session) {
      await Promise.all(both.map(({ workspace }) => workspace.forget(session)));
    },
    async usage() {
      const usages = await Promise.all(both.map(({ workspace }) => workspace.usage()));
      return usages.flat().sort((a, b) => b.bytes - a.bytes);
    },
    async collectGarbage(signal) {
      const results = [];
      for (const { workspace } of both) {
        // What fails now is done the next time.
        await workspace.forgetUnless?.(isKnown, Date.now() - FORGOTTEN_AFTER_MS).catch(() => {});
        results.push(await workspace.collectGarbage(signal));
      }
      return {
        dropped: results.reduce((sum, { dropped }) => sum + dropped, 0),
        failed: results.flatMap(({ failed }) => failed),
      };
    },
  };
}
