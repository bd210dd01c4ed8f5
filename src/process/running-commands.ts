/**
 * What a session has running when it is stopped. Agents end the shell they started and forget what that has started, or
 * forget the command altogether. So we look before the agent is told to stop, and end what is left afterwards.
 */
import { endProcesses } from "./end-processes.ts";
import { ownerOf } from "./owner-marker.ts";
import { entriesOf, withDescendants } from "./process-family.ts";
import type { RunningCommands } from "./process-host.ts";
import { type ProcessEntry, type ProcessIdentity, processTable } from "./process-table.ts";
import type { SharedHelpers } from "./shared-helpers.ts";

/** The time between SIGTERM and SIGKILL. */
const GRACE_MS = 500;

export interface RunningCommandsOptions {
  /** The session's, as in its markers. */
  readonly owner: string;
  /** What we started for the session ourselves. */
  readonly started: readonly ProcessIdentity[];
  readonly helpers: SharedHelpers;
  /** Whether it was started late enough. */
  isYoung(process: ProcessIdentity): boolean;
}

export async function findRunningCommands(options: RunningCommandsOptions): Promise<RunningCommands> {
  const running = commandsAmong(await processTable.list(), options);
  const groups = new Set(running.filter(({ pid, group }) => pid === group).map(({ group }) => group));
  return {
    async end() {
      if (running.length === 0) return;
      await endProcesses({
        known: running,
        graceMs: GRACE_MS,
        select(entries, known) {
          const members = entries.filter((entry) => groups.has(entry.group) && isOwned(entry, options));
          const found = withDescendants(entries, [...entriesOf(entries, known), ...members]);
          return found.filter(({ zombie }) => !zombie);
        },
      });
    },
  };
}

/**
 * What descends from what we started, and is neither an agent nor a helper of one. What no longer does was left in the
 * background by a command that has ended, and stays.
 */
function commandsAmong(entries: readonly ProcessEntry[], options: RunningCommandsOptions): ProcessEntry[] {
  // Being our child says nothing: where we are the first process of a container, every orphan is.
  const started = entriesOf(entries, options.started);
  const { own, shared } = options.helpers.sort(options.owner, withDescendants(entries, started), entries);
  const agents = new Set(own);
  return withDescendants(entries, started, shared).filter(
    (entry) => !entry.zombie && !agents.has(entry) && options.isYoung(entry),
  );
}

function isOwned({ marker }: ProcessEntry, { owner }: RunningCommandsOptions): boolean {
  return marker !== undefined && ownerOf(marker) === owner;
}
