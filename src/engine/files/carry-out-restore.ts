/** Carries out a restore that stands in the log, and says in the log how it ended. Also for one that a dead daemon began. */
import { InterlinguaError } from "../../core/error.ts";
import { errorText } from "../../core/error-text.ts";
import type { EventOf } from "../../core/event.ts";
import type { Checkpoint, RestoreResult, Workspace } from "../../core/workspace.ts";
import type { SessionLog } from "../session/session-log.ts";
import { MAX_NAMED_FILES, recordCheckpoint } from "./record-checkpoint.ts";
import type { SessionCheckpoints } from "./session-checkpoints.ts";

export interface CarriedOut extends RestoreResult {
  /** The files as they are afterwards. Undefined if that could not be recorded. */
  readonly after?: Checkpoint;
}

/** One that could not be finished, with what was done of it, if that is known. */
interface Failed {
  readonly error: unknown;
  readonly restored: readonly string[] | undefined;
  readonly kept: readonly string[];
}

/** Throws `workspace_failed` if not everything could be done; then the log says so. */
export async function carryOutRestore(
  log: SessionLog,
  checkpoints: Pick<SessionCheckpoints, "take" | "noteRestored">,
  workspace: Workspace,
  { checkpoint, before, changes, kept = [] }: EventOf<"restore.started">,
): Promise<CarriedOut> {
  const { cwd: directory } = log.state;
  const plan = { checkpoint: before, changes, conflicts: kept };
  const result: RestoreResult | Failed = await workspace
    .apply({ directory, plan })
    .catch(async (error: unknown) => ({
      error,
      restored: await workspace.findDone({ directory, plan }).catch(() => undefined),
      kept: [],
    }));
  const after = await checkpoints.take().catch(() => undefined);
  await checkpoints.noteRestored();
  const error = "error" in result ? errorText(result.error) : undefined;
  const { restored } = result;
  const isNotAll = error !== undefined || restored?.length !== changes.length;
  log.act((machine) => {
    if (after) recordCheckpoint(machine, after, { kind: "after" });
    machine.emit({
      type: "checkpoint.restored",
      checkpoint,
      files: restored?.length,
      ...(isNotAll && { restored: restored && [...restored] }),
      ...(result.kept.length > 0 && { kept: result.kept.slice(0, MAX_NAMED_FILES) }),
      error,
    });
  });
  await log.durable();
  if ("error" in result) {
    const detail = `Not all files could be restored: ${error} Checkpoint ${before} has them as they were.`;
    throw new InterlinguaError("workspace_failed", detail, { cause: result.error });
  }
  return { ...result, after };
}
