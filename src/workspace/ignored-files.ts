/**
 * Which files the ignore rules of an earlier checkpoint leave out. A file that was ignored then and is not now looks
 * as if it were new, and it is not: it may have been there all the time.
 */
import { randomBytes } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CheckpointRecord } from "./checkpoint-record.ts";
import { BYTES, Git, zeroSeparated } from "./git.ts";
import { selectEntries } from "./in-slices.ts";
import { pathBytes } from "./inspect-file.ts";
import { ObjectReader } from "./object-reader.ts";
import type { OuterRules } from "./root.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** They are written out to ask git about them. */
const MAX_RULE_BYTES = 64 * 2 ** 20;

interface RuleFile {
  readonly path: string;
  readonly content: Buffer;
}

/** @param paths As latin1, and so are those in the answer. */
export async function findIgnored(
  git: Git,
  checkpoint: string,
  { rules }: CheckpointRecord,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<Set<string>> {
  const ignored = new Set<string>();
  if (paths.length === 0) return ignored;
  const files = await readRuleFiles(git, checkpoint, signal);
  const byRoot = Map.groupBy(paths, (path) => rootOf(path, rules));
  for (const [root, own] of byRoot) {
    const inRoot = files.filter(({ path }) => rootOf(path, rules) === root);
    for (const path of await checkRoot(git, root, inRoot, own, signal)) ignored.add(path);
  }
  return ignored;
}

/** The innermost. */
function rootOf(path: string, rules: readonly OuterRules[]): OuterRules {
  const around = rules.filter((root) => path.startsWith(root.path));
  return around.reduce((inner, root) => (root.path.length > inner.path.length ? root : inner));
}

/** In a work tree that has nothing but the rules. */
async function checkRoot(
  git: Git,
  root: OuterRules,
  files: readonly RuleFile[],
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> {
  const scratch = join(git.store, `rules.${randomBytes(6).toString("hex")}.scratch`);
  const tree = join(scratch, "tree");
  // Without the dot a name that begins with a colon would be a pattern.
  const toTree = (path: string) => `./${root.prefix}${path.slice(root.path.length)}`;
  try {
    await mkdir(tree, { recursive: true });
    const excludes = join(scratch, "exclude");
    await writeFile(excludes, root.excludes, BYTES);
    const folders = root.prefix.split("/");
    for (const [depth, content] of root.above.entries())
      await writeRules(
        tree,
        [...folders.slice(0, depth), ".gitignore"].join("/"),
        Buffer.from(content, BYTES),
      );
    for (const { path, content } of files) await writeRules(tree, toTree(path), content);
    const { stdout } = await new Git(git.store, tree, { excludes }).run(
      ["check-ignore", "--no-index", "-z", "--stdin"],
      {
        input: paths.map((path) => `${toTree(path)}\0`).join(""),
        allowedCodes: [1],
        signal,
        environment: { GIT_LITERAL_PATHSPECS: "0" },
      },
    );
    const found = new Set(zeroSeparated(stdout));
    return paths.filter((path) => found.has(toTree(path)));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function writeRules(tree: string, path: string, content: Buffer): Promise<void> {
  const slash = path.lastIndexOf("/");
  if (slash > 0) await mkdir(pathBytes(tree, path.slice(0, slash)), { recursive: true });
  await writeFile(pathBytes(tree, path), content);
}

async function readRuleFiles(git: Git, checkpoint: string, signal?: AbortSignal): Promise<RuleFile[]> {
  const { stdout } = await git.run(["ls-tree", "-r", "-z", checkpoint], { signal });
  const lines = await selectEntries(stdout, (line) => line.endsWith(".gitignore"));
  const entries = lines.flatMap((line) => {
    const [, mode = "", id = "", path = ""] = /^(\d+) blob ([0-9a-f]+)\t([\s\S]*)$/.exec(line) ?? [];
    return mode.startsWith("100") && /(^|\/)\.gitignore$/.test(path) ? [{ id, path }] : [];
  });
  const ids = [...new Set(entries.map(({ id }) => id))];
  const reader = new ObjectReader(git);
  const sizes = await reader.sizes(ids, signal);
  const bytes = entries.reduce((sum, { id }) => sum + sizes.get(id)!, 0);
  if (bytes > MAX_RULE_BYTES)
    throw new WorkspaceError(
      `The .gitignore files of the checkpoint have more than ${MAX_RULE_BYTES / 2 ** 20} MB, so nothing can be restored.`,
    );
  const contents = new Map<string, Buffer>();
  for await (const [id, content] of reader.contents(ids, sizes, signal)) contents.set(id, content);
  return entries.map(({ id, path }) => ({ path, content: contents.get(id)! }));
}
