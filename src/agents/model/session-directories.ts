/** A directory for each process of the agent, for as long as it runs. What a killed daemon left is removed. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const PREFIX = "session-";

export class SessionDirectories {
  #hasSwept = false;

  /** `parent` belongs to one daemon, by the lock of its data directory. */
  create(parent: string): { path: string; remove(): void } {
    if (!this.#hasSwept) sweep(parent);
    this.#hasSwept = true;
    const path = mkdtempSync(join(parent, PREFIX));
    return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
  }
}

function sweep(parent: string): void {
  for (const name of readdirSync(parent))
    if (name.startsWith(PREFIX)) rmSync(join(parent, name), { recursive: true, force: true });
}
