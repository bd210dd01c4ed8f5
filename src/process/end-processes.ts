/** Ends processes reliably: SIGTERM, a grace period, SIGKILL, repeated until none is left. */
import { setTimeout as sleep } from "node:timers/promises";
import { isRunning, type ProcessEntry, processTable } from "./process-table.ts";

export interface EndProcessesOptions {
  /** Picks the processes to end. Called until it picks none, each time with all picked so far. */
  select(entries: readonly ProcessEntry[], known: readonly ProcessEntry[]): readonly ProcessEntry[];
  /** Picked already, from an earlier listing. */
  readonly known?: readonly ProcessEntry[];
  /** The time between SIGTERM and SIGKILL. */
  readonly graceMs: number;
  /** The variable whose value is the marker of an entry, where it is not the usual one. */
  readonly markerVariable?: string;
}

/**
 * A process in an uninterruptible wait (on a dead network disk, say) survives SIGKILL; nobody should wait for it
 * forever.
 */
const KILL_DEADLINE_MS = 10_000;

/** Resolves with the pids it ended when all of them are gone; rejects when one outlasts SIGKILL. */
export async function endProcesses(options: EndProcessesOptions): Promise<number[]> {
  const targets = new Map<number, ProcessEntry>();
  const beyondUs = new Set<number>([1, process.pid]);
  const add = (entries: readonly ProcessEntry[]) => {
    for (const entry of entries) if (!beyondUs.has(entry.pid)) targets.set(entry.pid, entry);
  };
  const running = () => [...targets.values()].filter(isRunning);
  const look = async () =>
    add(options.select(await processTable.list(options.markerVariable), [...targets.values()]));
  const signalAll = (signal: NodeJS.Signals) => {
    for (const target of running()) {
      if (send(target.pid, signal)) continue;
      beyondUs.add(target.pid);
      targets.delete(target.pid);
    }
  };

  add(options.known ?? []);
  await look();
  signalAll("SIGTERM");
  await until(() => running().length === 0, options.graceMs);

  const deadline = performance.now() + KILL_DEADLINE_MS;
  for (;;) {
    // Lists processes each time: what was forked meanwhile is found by its group, marker or parent.
    await look();
    const survivors = running();
    if (survivors.length === 0) return [...targets.keys()];
    if (performance.now() > deadline) {
      const pids = survivors.map((survivor) => survivor.pid).join(", ");
      throw new Error(`These processes outlasted SIGKILL: ${pids}. End them by hand.`);
    }
    signalAll("SIGKILL");
    await until(() => running().length === 0, 200);
  }
}

/** False when the process belongs to another user, as after `sudo`; one that is gone counts as signalled. */
function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "EPERM";
  }
}

async function until(condition: () => boolean, milliseconds: number): Promise<void> {
  const deadline = performance.now() + milliseconds;
  for (let pause = 2; !condition() && performance.now() < deadline; pause = Math.min(2 * pause, 50)) {
    await sleep(pause);
  }
}
