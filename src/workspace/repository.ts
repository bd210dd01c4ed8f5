/**
 * The bare repository of ours for one directory: in the data directory, readable by nobody else. The person's own
 * repository is only asked, never written.
 */
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { askGit, Git } from "./git.ts";

/** Outranks the attributes of the tree: bytes are kept as they are, whatever filters and line endings it asks for. */
const ATTRIBUTES = "* -text -eol -filter -ident !working-tree-encoding\n";

/** Where a directory has no ignore rules at all, these are left out: they are large, and made from what is there. */
const USUALLY_IGNORED = ["node_modules/", ".venv/", "__pycache__/"];

/** How the file system of the directory behaves, as the person's repository has found out. */
const FILE_SYSTEM_SETTINGS = ["core.ignoreCase", "core.fileMode", "core.symlinks", "core.precomposeUnicode"];

export interface Repository {
  readonly git: Git;
  /** The person's repository at the same root, if there is one. */
  readonly own: { readonly objects: string; readonly isSha1: boolean } | undefined;
}

export function storeOf(workspaces: string, root: string): string {
  return join(workspaces, createHash("sha256").update(root).digest("hex").slice(0, 32));
}

/** Makes it if it is not there, and brings its ignore rules up to date. */
export async function openRepository(workspaces: string, root: string): Promise<Repository> {
  const store = storeOf(workspaces, root);
  const git = new Git(store, root);
  if (!(await exists(join(store, "HEAD")))) await create(workspaces, git);
  const own = await ownRepository(root);
  await writeFile(join(store, "exclude"), await ignoreRules(root, own !== undefined));
  return { git, own };
}

/** In a folder that is then renamed: one that was left half made is never taken for a whole one. */
async function create(workspaces: string, { store, root }: Git): Promise<void> {
  await mkdir(workspaces, { recursive: true, mode: 0o700 });
  const making = `${store}.${process.pid}.new`;
  await mkdir(making, { recursive: true, mode: 0o700 });
  const git = new Git(making, root);
  await git.create();
  await mkdir(join(making, "info"), { recursive: true });
  await writeFile(join(making, "info", "attributes"), ATTRIBUTES);
  await writeFile(join(making, "root"), `${root}\n`);
  for (const setting of FILE_SYSTEM_SETTINGS) {
    const value = await settingOf(root, setting);
    if (value !== undefined) await git.run(["config", setting, value]);
  }
  await rename(making, store);
}

async function ownRepository(root: string): Promise<Repository["own"]> {
  try {
    const { stdout } = await askGit(root, [
      "rev-parse",
      "--path-format=absolute",
      "--git-path",
      "objects",
      "--show-object-format",
    ]);
    const [objects = "", format] = stdout.split("\n");
    return { objects, isSha1: format === "sha1" };
  } catch {
    return undefined;
  }
}

/** Of files only: patterns of the person's own that git would not see with our settings. */
async function ignoreRules(root: string, hasRepository: boolean): Promise<string> {
  if (!hasRepository) return `${USUALLY_IGNORED.join("\n")}\n`;
  const configured = await settingOf(root, "core.excludesFile", ["--type=path"]);
  const home = process.env.HOME ?? "";
  const usual = join(process.env.XDG_CONFIG_HOME || join(home, ".config"), "git", "ignore");
  const inRepository = await askGit(root, [
    "rev-parse",
    "--path-format=absolute",
    "--git-path",
    "info/exclude",
  ]);
  const files = [configured ?? usual, inRepository.stdout.trim()];
  const rules = await Promise.all(files.map((path) => readFile(path, "utf8").catch(() => "")));
  return `${rules.join("\n")}\n`;
}

async function settingOf(root: string, name: string, options: string[] = []): Promise<string | undefined> {
  try {
    return (await askGit(root, ["config", ...options, "--get", name])).stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}

async function exists(path: string): Promise<boolean> {
  return readFile(path).then(
    () => true,
    () => false,
  );
}
