/** What a plan would change, for people. */
import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { FileDifference, RestorePlan } from "../../core/workspace.ts";
import { readRecord } from "../checkpoint-record.ts";
import { compareRecorded } from "../compare.ts";
import { type Git, NO_OBJECT } from "../git.ts";
import { pathOfText } from "../path-text.ts";

/** Must run under the lock of the directory. The tree of afterwards that it makes is on no ref. */
export async function comparePlan(git: Git, { checkpoint, changes }: RestorePlan): Promise<FileDifference[]> {
  if (changes.length === 0) return [];
  const index = join(git.store, `planned.${randomBytes(6).toString("hex")}.scratch`);
  try {
    await git.run(["read-tree", `${checkpoint}^{tree}`], { index });
    // Deletions first: a file may come where a directory was.
    const removed = changes
      .filter(({ to }) => !to)
      .map(({ path }) => `0 ${NO_OBJECT}\t${pathOfText(path)}\0`);
    const written = changes.flatMap(({ path, to }) =>
      to ? [`${to.mode} ${to.id}\t${pathOfText(path)}\0`] : [],
    );
    await git.run(["update-index", "-z", "--index-info"], {
      index,
      input: [...removed, ...written].join(""),
    });
    const tree = await git.line(["write-tree"], { index });
    const record = await readRecord(git, checkpoint);
    const trees = { from: `${checkpoint}^{tree}`, to: tree };
    return await compareRecorded(git, trees, { from: record, to: record }, {});
  } finally {
    await rm(index, { force: true });
    await rm(`${index}.lock`, { force: true });
  }
}
