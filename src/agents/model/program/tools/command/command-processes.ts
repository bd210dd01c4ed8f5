/** The processes of a command, and how they end. */
import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { endProcesses } from "../../../../../process/end-processes.ts";
import { familyMembers } from "../../../../../process/process-family.ts";
import {
  type ProcessEntry,
  type ProcessIdentity,
  processTable,
} from "../../../../../process/process-table.ts";

/** Tells the processes of one command from those of another, whatever they did to their group, session or parent. */
export const COMMAND_VARIABLE = "INTERLINGUA_COMMAND";

/** The time between SIGTERM and SIGKILL. */
const GRACE_MS = 1000;
/** A command that forks without end makes the list of processes long. */
const MAX_LISTING_MS = 500;

export class CommandProcesses {
  /** The value of `COMMAND_VARIABLE` for them. */
  readonly marker = randomUUID();
  #leader: ProcessIdentity | undefined;

  /** To be called right after the start, before the process can be reaped. */
  started(pid: number): void {
    this.#leader = processTable.read(pid);
  }

  /** Ends all that the command started. Rejects when something outlasts SIGKILL. */
  async endAll(): Promise<void> {
    await this.#end(this.marker);
  }

  /**
   * Ends what the command left in its group, in the background of its shell. What made a session of its own was meant to
   * stay; it ends with the agent.
   */
  async endGroup(): Promise<void> {
    if (this.#leader && groupExists(this.#leader)) await this.#end(undefined);
  }

  async #end(marker: string | undefined): Promise<void> {
    const leader = this.#leader;
    if (!leader) return;
    const select = (entries: readonly ProcessEntry[], known: readonly ProcessEntry[] = []) =>
      familyMembers(entries, { leader, marker }, { known });
    // Before any of them is gone: a child that left the group and cleared its environment is found by its parent only.
    const listing = processTable.list(COMMAND_VARIABLE);
    await Promise.race([listing, setTimeout(MAX_LISTING_MS)]);
    // The system signals a group at once. One by one, a command that forks faster than we look would win.
    signalGroup(leader, "SIGTERM");
    await settledWithin(GRACE_MS, () => !groupExists(leader));
    signalGroup(leader, "SIGKILL");
    const known = select(await listing);
    await endProcesses({ select, known, graceMs: GRACE_MS, markerVariable: COMMAND_VARIABLE });
  }
}

function groupExists(leader: ProcessIdentity): boolean {
  return signalGroup(leader, 0);
}

/** False when the group is gone. Its number is not given to others while it has members, only after. */
function signalGroup({ pid, startTime }: ProcessIdentity, signal: NodeJS.Signals | 0): boolean {
  const holder = processTable.read(pid);
  if (holder && holder.startTime !== startTime) return false;
  try {
    return process.kill(-pid, signal);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function settledWithin(milliseconds: number, isSettled: () => boolean): Promise<void> {
  const deadline = performance.now() + milliseconds;
  while (!isSettled() && performance.now() < deadline) await setTimeout(5);
}
