/** Reads contents of files from our repository, several at a time and never too many. */
import { type Git, GitError } from "./git.ts";
import { objectId } from "./loose-object.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** How much is read into memory at once. */
const MAX_READ_BYTES = 2 ** 25;

export class ObjectReader {
  readonly #git: Git;

  constructor(git: Git) {
    this.#git = git;
  }

  /** Rejects if one of them is not there: what is missing must never be taken for an empty or absent file. */
  async sizes(ids: readonly string[], signal?: AbortSignal): Promise<Map<string, number>> {
    const sizes = await this.knownSizes(ids, signal);
    const missing = ids.find((id) => !sizes.has(id));
    if (missing !== undefined) throw damaged(missing);
    return sizes;
  }

  /** Of those that are there. */
  async knownSizes(ids: readonly string[], signal?: AbortSignal): Promise<Map<string, number>> {
    const sizes = new Map<string, number>();
    if (ids.length === 0) return sizes;
    const input = ids.map((id) => `${id}\n`).join("");
    const { stdout } = await this.#git.run(["cat-file", "--batch-check"], { input, signal });
    for (const line of stdout.toString().trimEnd().split("\n")) {
      const [id = "", type, size] = line.split(" ");
      if (type === "blob") sizes.set(id, Number(size));
    }
    return sizes;
  }

  /** In the order given. Rejects at one that is not what its id says. */
  async *contents(
    ids: readonly string[],
    sizes: ReadonlyMap<string, number>,
    signal?: AbortSignal,
  ): AsyncGenerator<readonly [string, Buffer]> {
    for (let at = 0; at < ids.length; ) {
      const from = at;
      let bytes = 0;
      while (at < ids.length && (at === from || bytes + (sizes.get(ids[at]!) ?? 0) <= MAX_READ_BYTES)) {
        bytes += sizes.get(ids[at]!) ?? 0;
        at += 1;
      }
      const input = ids
        .slice(from, at)
        .map((id) => `${id}\n`)
        .join("");
      const { stdout } = await this.#git.run(["cat-file", "--batch"], { input, signal }).catch((error) => {
        // Git ends when it cannot unpack one.
        throw error instanceof GitError ? damaged(ids[from]!, error) : error;
      });
      yield* readBatch(stdout);
    }
  }
}

function damaged(id: string, cause?: Error): WorkspaceError {
  return new WorkspaceError(
    `The checkpoint is damaged: the content ${id}${cause ? " or one after it" : ""} cannot be read. Nothing was changed.`,
    { cause },
  );
}

function* readBatch(output: Buffer): Generator<readonly [string, Buffer]> {
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(10, at);
    const [id = "", type, size] = output.toString("latin1", at, end).split(" ");
    const content = output.subarray(end + 1, end + 1 + Number(size));
    if (type !== "blob" || objectId("blob", content) !== id) throw damaged(id);
    yield [id, content];
    at = end + 1 + Number(size) + 1;
  }
}
