/**
 * Commands a session has running when it is stopped. Agents end their shell and forget what it started, or forget the
 * command altogether. So we list commands before the agent is told to stop, and end what is left afterwards.
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
  /** The session's owner, as in its markers. */
  readonly owner: string;
  /** What we started for the session ourselves. */
  readonly started: readonly ProcessIdentity[];
  readonly helpers: SharedHelpers;
  /** Whether it was started recently enough. */
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
 * Descendants of what we started that are neither agents nor helpers. A process that no longer descends from it was
 * left in the background on purpose, and stays.
 */
function commandsAmong(entries: readonly ProcessEntry[], options: RunningCommandsOptions): ProcessEntry[] {
  // Being our child proves nothing: as the first process of a container we adopt every orphan.
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
