/** Remembers directories in which git did not answer, so that not every prompt there waits for it again. */
import { HungError } from "../files/read-gate.ts";
import { inspectFile } from "../files/regular-file.ts";
import { BlockingFileError } from "./blocking-files.ts";
import { stateOf } from "./file-state.ts";
import { GitMemoryError, GitTimeoutError } from "./git.ts";

const MAX_DIRECTORIES = 1000;
const DEFAULT_RETRY_MS = 5 * 60_000;

interface Failure {
  readonly error: Error;
  /** Whether the reason is gone. */
  isOver(): Promise<boolean>;
}

export class UnansweredDirectories {
  readonly #failures = new Map<string, Failure>();
  readonly #retryMs: number;

  constructor(retryMs = DEFAULT_RETRY_MS) {
    this.#retryMs = retryMs;
  }

  /** Does the work. Rejects at once while the file that git waited for is as it was; else for some minutes. */
  async run<Result>(directory: string, work: () => Promise<Result>): Promise<Result> {
    const known = this.#failures.get(directory);
    if (known && !(await known.isOver())) throw known.error;
    this.#failures.delete(directory);
    try {
      return await work();
    } catch (error) {
      const failure = await this.#explain(error);
      if (failure) this.#failures.set(directory, failure);
      const [oldest] = this.#failures.keys();
      if (this.#failures.size > MAX_DIRECTORIES) this.#failures.delete(oldest!);
      throw error;
    }
  }

  async #explain(error: unknown): Promise<Failure | undefined> {
    if (error instanceof BlockingFileError) {
      const state = await stateOfFile(error.file);
      return { error, isOver: async () => (await stateOfFile(error.file)) !== state };
    }
    const isOfDirectory =
      error instanceof GitTimeoutError || error instanceof GitMemoryError || error instanceof HungError;
    if (!isOfDirectory) return undefined;
    const until = performance.now() + this.#retryMs;
    return { error, isOver: async () => performance.now() >= until };
  }
}

async function stateOfFile(path: string): Promise<string | undefined> {
  const found = await inspectFile(path);
  return found && stateOf(found);
}
