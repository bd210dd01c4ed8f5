/** Directories whose files are being restored. Prompts for agents that work there wait. */
import { overlap } from "../../core/is-inside.ts";

interface Hold {
  readonly directory: string;
  /** Whose restore it is. */
  readonly session?: string;
  readonly released: Promise<void>;
}

export class DirectoriesInRestore {
  readonly #holds = new Set<Hold>();

  /** Returns what releases it. */
  hold(directory: string, session?: string): () => void {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const hold = { directory, session, released };
    this.#holds.add(hold);
    return () => {
      this.#holds.delete(hold);
      release();
    };
  }

  isHeld(directory: string): boolean {
    return this.#find(directory) !== undefined;
  }

  /** Resolves when no restore runs in, above or below the directory. */
  async released(directory: string): Promise<void> {
    for (let hold = this.#find(directory); hold; hold = this.#find(directory)) await hold.released;
  }

  /** Resolves when no restore of the session runs that runs now. */
  async endedFor(session: string): Promise<void> {
    const own = [...this.#holds].filter((hold) => hold.session === session);
    await Promise.all(own.map(({ released }) => released));
  }

  /** Of all restores that run now. */
  get endings(): Promise<void>[] {
    return [...this.#holds].map(({ released }) => released);
  }

  #find(directory: string): Hold | undefined {
    return [...this.#holds].find((hold) => overlap(hold.directory, directory));
  }
}
