/** Takes what the session did out of a file and keeps what others did, where they do not overlap. */
import { randomBytes } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FileVersion } from "../../core/workspace.ts";
import type { Git } from "../git.ts";
import { ObjectReader } from "../object-reader.ts";
import type { JudgedChange } from "./judge-changes.ts";

/** The merged content in our repository. Undefined where it cannot be merged. */
export async function mergeFile(
  git: Git,
  { then, now, steps }: JudgedChange,
  signal?: AbortSignal,
): Promise<FileVersion | undefined> {
  const versions = [then, now, ...steps.flatMap(({ before, after }) => [before, after])];
  if (!versions.every((version) => version?.mode.startsWith("100"))) return undefined;
  const contents = await readAll(git, versions as FileVersion[], signal);
  let merged = contents.get(now!.id)!;
  for (const { before, after } of steps.toReversed()) {
    const next = await merge(git, merged, contents.get(after!.id)!, contents.get(before!.id)!, signal);
    if (!next) return undefined;
    merged = next;
  }
  const id = await git.line(["hash-object", "-w", "--no-filters", "--stdin"], { input: merged, signal });
  const isModeOurs = steps.at(-1)?.after?.mode === now!.mode;
  return { mode: isModeOurs ? then!.mode : now!.mode, id };
}

async function merge(
  git: Git,
  ours: Buffer,
  base: Buffer,
  theirs: Buffer,
  signal?: AbortSignal,
): Promise<Buffer | undefined> {
  const scratch = join(git.store, `merge.${randomBytes(6).toString("hex")}.scratch`);
  try {
    await mkdir(scratch);
    const files = ["ours", "base", "theirs"].map((name) => join(scratch, name));
    for (const [at, content] of [ours, base, theirs].entries()) await writeFile(files[at]!, content);
    // The code is the number of overlaps, or 255 for what is no text.
    const { stdout, code } = await git.run(["merge-file", "-p", "-q", ...files], {
      allowedCodes: Array.from({ length: 255 }, (_, at) => at + 1),
      signal,
    });
    return code === 0 ? stdout : undefined;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function readAll(
  git: Git,
  versions: readonly FileVersion[],
  signal?: AbortSignal,
): Promise<Map<string, Buffer>> {
  const reader = new ObjectReader(git);
  const ids = [...new Set(versions.map(({ id }) => id))];
  const contents = new Map<string, Buffer>();
  for await (const [id, content] of reader.contents(ids, await reader.sizes(ids, signal), signal))
    contents.set(id, Buffer.from(content));
  return contents;
}
