/** How a checkpoint and what changed up to it stand in a session's log. */
import { join } from "node:path";
import { boundDraft } from "../../core/bound-draft.ts";
import type { EventOf } from "../../core/event.ts";
import type { SessionMachine } from "../../core/session-machine.ts";
import type { Checkpoint, FileDifference } from "../../core/workspace.ts";
import type { CheckpointKind } from "../../core/workspace-fields.ts";
import type { SecretMask } from "../secrets/secret-mask.ts";
import type { AttributedChanges } from "./attribute-changes.ts";

/** What an event names of the files that a checkpoint does not have. */
export const MAX_NAMED_FILES = 100;
/** More files of others in one turn than these are not named: then each that changed may be somebody else's. */
const MAX_OTHERS_FILES = 1000;
/** More changes of one turn than these are not told one by one. */
const MAX_EDITS = 1000;
/** All diffs of one turn together, in characters. Later ones are left out. */
const MAX_DIFF_LENGTH = 4 * 1024 * 1024;

const KINDS = { added: "created", modified: "changed", deleted: "deleted" } as const;

export function recordCheckpoint(
  machine: SessionMachine,
  { id, uncovered, keptAt }: Pick<Checkpoint, "id" | "uncovered" | "keptAt">,
  place: Pick<EventOf<"checkpoint.created">, "turn" | "endOf" | "foreign" | "mixed" | "allMixed" | "by"> & {
    kind: CheckpointKind;
  },
): void {
  machine.emit({
    type: "checkpoint.created",
    checkpoint: id,
    ...place,
    ...(keptAt && { keptAt: { ...keptAt } }),
    ...(uncovered.length > 0 && { uncovered: uncovered.slice(0, MAX_NAMED_FILES) }),
  });
}

/** The checkpoint at the end of a turn, after what the agent did not say of its changes. */
export function recordTurnEnd(
  machine: SessionMachine,
  checkpoint: Checkpoint,
  turn: string,
  { unreported, foreign, mixed }: Pick<AttributedChanges, "unreported" | "foreign" | "mixed">,
  bounds: EditBounds,
): void {
  applyEdits(machine, unreported, bounds);
  recordCheckpoint(machine, checkpoint, { kind: "after", turn, ...othersFields(foreign, mixed) });
}

export interface EditBounds {
  readonly mask: SecretMask;
  readonly maxToolOutputBytes: number;
}

/** They go the way of what the agent says: masked, bounded, and with their place in the turn. */
function applyEdits(
  machine: SessionMachine,
  changes: readonly FileDifference[],
  { mask, maxToolOutputBytes }: EditBounds,
): void {
  for (const { path, kind, diff } of toEdits(changes)) {
    const edit = { type: "file.edited", path: join(machine.state.cwd, path), kind } as const;
    for (const masked of mask.draft({ ...edit, ...(diff !== undefined && { diff }) }))
      for (const bounded of boundDraft(masked, maxToolOutputBytes)) machine.apply(bounded);
  }
  const more = changes.length - MAX_EDITS;
  if (more <= 0) return;
  const text = `${more} more files changed in this turn. Ask for the changes of the turn to see them all.`;
  machine.apply({ type: "notice", level: "info", code: "checkpoint", text });
}

/** What is told one by one. */
function toEdits(changes: readonly FileDifference[]) {
  let length = 0;
  return changes.slice(0, MAX_EDITS).map(({ path, status, diff }) => {
    length += diff?.length ?? 0;
    return { path, kind: KINDS[status], diff: length <= MAX_DIFF_LENGTH ? diff : undefined };
  });
}

/** The diffs that `recordTurnEnd` masks, to be masked in advance. */
export function toldDiffs(changes: readonly FileDifference[]): string[] {
  return toEdits(changes).map(({ diff }) => diff ?? "");
}

/** Which files others changed too, as an event has it. */
export function othersFields(foreign: readonly string[], mixed: readonly string[]) {
  const isForeignNamed = foreign.length <= MAX_OTHERS_FILES;
  const allMixed = !isForeignNamed || mixed.length > MAX_OTHERS_FILES;
  return {
    ...(foreign.length > 0 && isForeignNamed && { foreign: [...foreign] }),
    ...(mixed.length > 0 && !allMixed && { mixed: [...mixed] }),
    ...(allMixed && { allMixed }),
  };
}
