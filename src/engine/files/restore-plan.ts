/** The plan of a restore: asked of the workspace, held against what the client asked for, and named so that it can be expected. */
import { createHash } from "node:crypto";
import { InterlinguaError } from "../../core/error.ts";
import type { RestorePlan, RestoreRequest, Workspace } from "../../core/workspace.ts";
import type { RestoreFiles } from "../../protocol/commands/command-types.ts";
import type { SessionActor } from "../session/session-actor.ts";
import type { Span } from "./checkpoint-history.ts";
import { workspaceConflict } from "./workspace-refusals.ts";

/** A plan stands in the log as one event. A larger one has to be done in parts. */
const MAX_PLANNED_FILES = 20_000;

/** What is to go back to which checkpoint, and what was done since. */
export interface WantedFiles {
  readonly target: string;
  /** Turns and restores since then, oldest first. */
  readonly spans: readonly Span[];
  readonly request: RestoreFiles;
}

/** Takes a checkpoint too: who does not go on discards it. */
export function requestPlan(
  { state }: SessionActor,
  workspace: Workspace,
  { target, spans, request }: WantedFiles,
): Promise<RestorePlan> {
  const { paths, onConflict = "refuse" } = request;
  const turns = spans.map(toTurn);
  return workspace.plan({ session: state.id, directory: state.cwd, target, turns, paths, onConflict });
}

/** Of a restore it is known what it did, whatever is left of its checkpoints. */
function toTurn({ before, after, foreign, mixed, changes }: Span): RestoreRequest["turns"][number] {
  return changes ? { changes } : { before, after, foreign, mixed };
}

/** Throws if the plan is not what was asked for. */
export function assertAsAsked(plan: RestorePlan, { onConflict = "refuse", expect }: RestoreFiles): void {
  const { changes, conflicts } = plan;
  if (expect !== undefined && expect !== digestOf(plan))
    throw workspaceConflict("Files changed since the preview. Look at a new one.", conflicts);
  if (onConflict !== "keep" && conflicts.length > 0) throw workspaceConflict(REFUSALS[onConflict], conflicts);
  if (changes.length > MAX_PLANNED_FILES) throw tooMany(changes.length);
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

/** Equal for equal plans, whatever the checkpoint before is called. */
export function digestOf({ changes, conflicts }: RestorePlan): string {
  return createHash("sha256")
    .update(JSON.stringify([changes, conflicts]))
    .digest("hex")
    .slice(0, 32);
}

function tooMany(count: number): InterlinguaError {
  const detail = `${count} files would go back; ${MAX_PLANNED_FILES} can at once. Name some with \`paths\`.`;
  return new InterlinguaError("invalid_request", detail, { errors: [{ path: "paths", message: detail }] });
}
