/** Stops the processes of a daemon where they are, and lets them go on: what they do meanwhile would be for nobody. */
import { belongsToDaemon, ownerOf } from "./owner-marker.ts";
import { processTable } from "./process-table.ts";

export class ProcessFreezer {
  readonly #daemonId: string;
  /** The groups of agents, by their leaders. */
  readonly #groups = new Set<number>();
  #isFrozen = false;

  constructor(daemonId: string) {
    this.#daemonId = daemonId;
  }

  add(group: number): void {
    this.#groups.add(group);
    if (this.#isFrozen) signal(-group, "SIGSTOP");
  }

  delete(group: number): void {
    this.#groups.delete(group);
  }

  freeze(): void {
    if (this.#isFrozen) return;
    this.#isFrozen = true;
    this.#signalAll("SIGSTOP");
  }

  thaw(): void {
    if (!this.#isFrozen) return;
    this.#isFrozen = false;
    this.#signalAll("SIGCONT");
  }

  /** Groups at once. What has left its group has to be looked for. */
  #signalAll(name: "SIGSTOP" | "SIGCONT"): void {
    for (const group of this.#groups) signal(-group, name);
    const isFrozen = this.#isFrozen;
    void processTable.list().then(
      (entries) => {
        if (isFrozen !== this.#isFrozen) return;
        for (const { pid, marker } of entries)
          if (marker !== undefined && belongsToDaemon(ownerOf(marker), this.#daemonId)) signal(pid, name);
      },
      // Without a list the groups have to do.
      () => {},
    );
  }
}

function signal(pid: number, name: "SIGSTOP" | "SIGCONT"): void {
  try {
    process.kill(pid, name);
  } catch {
    // It is gone.
  }
}
