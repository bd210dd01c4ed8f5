/** Makes borrowed objects ours, before anything refers to them: the person's repository may lose them at any time. */
import type { Git } from "./git.ts";

/** @param borrow The object directory of the person's repository. */
export async function copyBorrowedObjects(
  git: Git,
  tree: string,
  borrow: string,
  signal?: AbortSignal,
): Promise<void> {
  const args = ["rev-list", "--objects", "--no-object-names", tree];
  const { stdout: all } = await git.run(args, { borrow, signal });
  const missing = await findMissing(git, all, signal);
  if (missing.length === 0) return;
  const input = missing.map((id) => `${id}\n`).join("");
  const pack = `${git.store}/objects/pack/pack`;
  await git.run(["pack-objects", "-q", "--window=0", pack], {
    borrow,
    input,
    signal,
    settings: ["pack.compression=1"],
  });
  const stillMissing = await findMissing(git, Buffer.from(input), signal);
  if (stillMissing.length > 0) throw new Error(`${stillMissing.length} objects could not be copied.`);
}

/** Those of the ids, one on each line, that our repository does not have. */
async function findMissing(git: Git, ids: Buffer, signal?: AbortSignal): Promise<string[]> {
  const { stdout } = await git.run(["cat-file", "--batch-check=%(objectname)"], { input: ids, signal });
  const missing: string[] = [];
  for (const line of stdout.toString().split("\n")) {
    const [id = "", state] = line.split(" ");
    if (state === "missing") missing.push(id);
  }
  return missing;
}
