/** What changed in a turn, between the checkpoint it started from and one at its end, and whose change it is. */
import type { OpenTurn, SessionState } from "../../core/session-state.ts";
import type { Checkpoint, FileDifference, Workspace } from "../../core/workspace.ts";
import { type AttributedChanges, attributeBesideOthers, attributeChanges } from "./attribute-changes.ts";
import { changedSince } from "./changed-since.ts";
import type { TurnsInDirectories } from "./turns-in-directories.ts";
import type { WorkedElsewhere } from "./worked-elsewhere.ts";

/** By this much the clock of a file system may be behind ours. */
const FILE_CLOCK_LAG_MS = 20;

export interface TurnChangesOptions {
  state: SessionState;
  workspace: Pick<Workspace, "compare">;
  turns: Pick<TurnsInDirectories, "beside">;
  /** What agents of other nodes did there since then. */
  elsewhere(since: number): Promise<WorkedElsewhere>;
  signal: AbortSignal;
}

/** Of a turn that is about to end. */
export async function changesOfTurn(
  turn: OpenTurn,
  end: Checkpoint,
  options: TurnChangesOptions,
): Promise<AttributedChanges> {
  const changes = await attribute(turn, await compareTurn(turn, end, options), options);
  if (!beganByItself(turn)) return changes;
  // What changed before it began is not told as an edit of it.
  const paths = changes.unreported.map(({ path }) => path);
  const since = turn.startedAt - FILE_CLOCK_LAG_MS;
  const edited = new Set(await changedSince(options.state.cwd, paths, since));
  return { ...changes, unreported: changes.unreported.filter(({ path }) => edited.has(path)) };
}

/** What is known of a turn that ended a while ago. */
export interface PastTurn {
  /** In milliseconds since the epoch. */
  knownUntil: number;
  /** Agents whose reports are not known may have worked on the files, too. */
  hasOthers?: boolean;
}

/** Of a turn that ended a while ago. What changed after the moment until which it is known may be anybody's. */
export async function changesOfPastTurn(
  turn: OpenTurn,
  end: Checkpoint,
  circumstances: () => Promise<PastTurn>,
  options: TurnChangesOptions,
): Promise<Pick<AttributedChanges, "foreign" | "mixed">> {
  const { knownUntil, hasOthers } = await circumstances();
  const changes = await compareTurn(turn, end, options);
  const { foreign, mixed } = await attribute(turn, changes, options, hasOthers);
  const others = new Set(foreign);
  const paths = changes.map(({ path }) => path).filter((path) => !others.has(path));
  const later = await changedSince(options.state.cwd, paths, knownUntil);
  return { foreign, mixed: [...new Set([...mixed, ...later])] };
}

function compareTurn(
  { before }: OpenTurn,
  { id }: Checkpoint,
  { state, workspace, signal }: TurnChangesOptions,
): Promise<FileDifference[]> {
  return workspace.compare({ directory: state.cwd, from: before!, to: id }, signal);
}

async function attribute(
  turn: OpenTurn,
  changes: readonly FileDifference[],
  { state, turns, elsewhere }: TurnChangesOptions,
  hasOthers = false,
): Promise<AttributedChanges> {
  const strangers = changes.length > 0 ? await elsewhere(turn.startedAt) : [];
  const others = turns.beside(state, turn.startedAt);
  const own = { cwd: state.cwd, edited: turn.edited ?? [] };
  if (strangers.length > 0) return attributeBesideOthers(changes, own, others, strangers);
  return attributeChanges(changes, own, others, hasOthers || others.length > 0 || beganByItself(turn));
}

/** Its first checkpoint is from the end of the turn before: between the two a person may have worked. */
function beganByItself({ origin }: OpenTurn): boolean {
  return origin === "agent";
}
