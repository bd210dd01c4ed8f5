/** A directory for each process of the agent, for as long as it runs. The first call removes directories that a killed daemon left. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

const PREFIX = "session-";

interface SessionDirectory {
  readonly path: string;
  /** Never rejects. The next start removes files that cannot be removed now. */
  remove(): Promise<void>;
}

export class SessionDirectories {
  #swept: Promise<void> | undefined;

  /** `parent` belongs to one daemon, by the lock of its data directory. */
  async create(parent: string): Promise<SessionDirectory> {
    this.#swept ??= sweep(parent);
    await this.#swept;
    const path = await mkdtemp(join(parent, PREFIX));
    return { path, remove: () => remove(path) };
  }
}

async function sweep(parent: string): Promise<void> {
  for (const name of await readdir(parent)) if (name.startsWith(PREFIX)) await remove(join(parent, name));
}

/** Not in one go: an agent can have left a million files. */
async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch(() => {});
}
