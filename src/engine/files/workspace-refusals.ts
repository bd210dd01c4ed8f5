/** What commands on the files of a session are refused with, and the preconditions that several of them share. */
import { InterlinguaError } from "../../core/error.ts";
import { errorText } from "../../core/error-text.ts";
import type { WorkElsewhere } from "../../core/shared-directories.ts";
import type { Workspace } from "../../core/workspace.ts";
import type { SessionActor } from "../session/session-actor.ts";
import type { CheckpointHistory, CheckpointView } from "./checkpoint-history.ts";

export async function requireWorkspace(actor: SessionActor): Promise<Workspace> {
  const { access, state } = actor.log;
  if (access.missing === "files")
    throw checkpointElsewhere(
      `The files and checkpoints of session "${state.id}" are at the node "${access.node}", which is gone or going away. Start it again.`,
    );
  const isServed =
    actor.checkpoints.workspace !== undefined && (await explained(actor.checkpoints.canServe()));
  const { workspace } = actor.checkpoints;
  if (isServed && workspace) return workspace;
  const reason = actor.state.checkpointObstacle ?? "They are switched off for this session or this daemon.";
  throw new InterlinguaError("checkpoints_off", `The session has no checkpoints. ${reason}`);
}

/** Whatever goes wrong in the workspace. */
export async function explained<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (InterlinguaError.isInstance(error)) throw error;
    throw new InterlinguaError("workspace_failed", errorText(error), { cause: error });
  }
}

export function requireCheckpoint(history: CheckpointHistory, id: string, origin?: string): CheckpointView {
  const checkpoint = history.find(id);
  if (checkpoint) return checkpoint;
  const remedy =
    origin === undefined ? "" : ` One from before the fork is a checkpoint of session "${origin}".`;
  throw checkpointNotFound(`The session has no checkpoint "${id}". Ask for its checkpoints.${remedy}`);
}

export function checkpointNotFound(detail: string): InterlinguaError {
  return new InterlinguaError("checkpoint_not_found", detail);
}

export function checkpointElsewhere(detail: string): InterlinguaError {
  return new InterlinguaError("checkpoint_elsewhere", detail);
}

/** @param place The name of a node, or a directory. */
export function keptElsewhere(checkpoint: string, place: string): InterlinguaError {
  const where = place.startsWith("/")
    ? `in ${place}, which this node does not use`
    : `at the node "${place}"`;
  return checkpointElsewhere(
    `Checkpoint "${checkpoint}" is kept ${where}. Take one that the list of checkpoints does not call elsewhere. Nodes with the same --checkpoint-directory have all of those of shared roots.`,
  );
}

/** @param isMark Whether it is that of the last approval. */
export function checkpointDropped(id: string, { isMark = false } = {}): InterlinguaError {
  const remedy = isMark ? " What is pending begins anew with an approval." : "";
  return checkpointNotFound(
    `Checkpoint "${id}" is no longer kept: it was old, there were too many, or those of this directory were deleted. Take one that the list of checkpoints does not call dropped.${remedy}`,
  );
}

/** @param session Which one works there. */
export function workspaceBusy(detail: string, session?: { id: string; title?: string }): InterlinguaError {
  return new InterlinguaError("workspace_busy", detail, { session });
}

/** @param what What the session does. */
export function busyElsewhere({ session, title, node }: WorkElsewhere, what: string): InterlinguaError {
  const where = node === undefined ? "" : ` at the node "${node}"`;
  const detail = `Session "${session}"${where} ${what}. Stop it, or try again when that has ended.`;
  return workspaceBusy(detail, { id: session, title });
}

export function workspaceConflict(detail: string, paths: readonly string[]): InterlinguaError {
  return new InterlinguaError("workspace_conflict", detail, { paths });
}
