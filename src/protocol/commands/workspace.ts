/** Commands on a session's files: checkpoints, changes, restores. */
import type { CollectedGarbage, DirectoryUsage, FileDifference } from "../../core/workspace.ts";
import * as routes from "../routes/workspace.ts";
import {
  auditNote,
  defineCommand,
  defineRouteCommand,
  FILES_MS,
  type NeededRight,
  READS,
  READS_FILES,
  readsHere,
} from "./define-command.ts";

export interface ChangesQuery {
  session: string;
  /** What this turn changed. */
  turn?: string;
  /** What turns changed since this checkpoint. Since the last approval without this and without `turn`. */
  since?: string;
  /** `base`: with what the files held before. */
  include?: readonly "base"[];
}

export const workspaceCommands = {
  /** Oldest first. */
  listCheckpoints: defineRouteCommand(routes.listCheckpoints, READS),
  /** What turns changed. Throws `checkpoint_not_found`, and `checkpoints_off` where there are none. */
  listChanges: defineCommand<ChangesQuery, { changes: FileDifference[] }, typeof routes.listChanges>({
    ...READS_FILES,
    route: routes.listChanges,
  }),
  /**
   * Undoes what turns of the session changed since a checkpoint, file by file, after a checkpoint. Throws
   * `workspace_conflict` if somebody else has changed a file since, and `workspace_busy` while an agent works there.
   */
  restore: defineRouteCommand(routes.restore, {
    rights: restoreRights,
    audit: ({ session, preview }) => (preview ? undefined : { action: "session.restore", session }),
    forward: { timeoutMs: FILES_MS, isRepeatable: false, isOnLogOnly: true },
  }),
  /** Accepts what turns changed since the last approval. */
  approve: defineRouteCommand(routes.approve, {
    rights: "session.restore",
    audit: auditNote("session.restore", "approve"),
    forward: { timeoutMs: FILES_MS, isRepeatable: true, isOnLogOnly: true },
  }),
  /** Back to the last approval, in the way of `restore`. */
  reset: defineRouteCommand(routes.reset, {
    rights: restoreRights,
    audit: ({ session, preview }) =>
      preview ? undefined : { action: "session.restore", session, detail: "reset" },
    forward: { timeoutMs: FILES_MS, isRepeatable: false, isOnLogOnly: true },
  }),
  /** What the checkpoints of all sessions take, the largest directory first, those that are damaged too. */
  listWorkspaces: defineCommand<object, DirectoryUsage[]>(readsHere("service.operate")),
  /** Drops checkpoints that are too old or too many, and what only deleted sessions had. */
  collectGarbage: defineCommand<object, CollectedGarbage>(readsHere("service.operate")),
};

function restoreRights({ conversation }: { conversation?: boolean }): NeededRight[] {
  const more = conversation ? [{ right: "session.rewrite", path: "conversation" } as const] : [];
  return [{ right: "session.restore" }, ...more];
}
