/**
 * Finds files that git would wait for, or read without end: pipes and devices in place of files that git opens by itself
 * when it is asked about a directory. It looks at files and reads only configs and refs.
 */
import type { BigIntStats } from "node:fs";
import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { isInside } from "../core/is-inside.ts";
import { trimEndOf } from "../core/trim-end-of.ts";
import { readEntries } from "../files/read-entries.ts";
import { HungError } from "../files/read-gate.ts";
import { inspectFile, lookAt, MAX_FILE_BYTES, readRegularFile } from "../files/regular-file.ts";
import { readGitConfig } from "./git-config-text.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** Of configs that include others, and of folders of objects that name others. Git refuses longer chains itself. */
const MAX_CHAINED = 64;
/** Git follows no more. */
const MAX_REF_HOPS = 5;
const MAX_DIRECTORIES = 20_000;
/** Of one directory. */
const MAX_NAMES = 100_000;
const MAX_SEARCH_MS = 5000;

/** Git reads these files into memory. */
const MAX_READ_BYTES = 64 * 2 ** 20;

const READ_FILES = ["HEAD", "commondir", "config", "config.worktree", "info/attributes", "shallow"];
const MAPPED_FILES = ["index", "packed-refs"];
/** A device in place of these is an empty file for git. */
const FILES_WITH_HARMLESS_DEVICES = ["info/exclude", "info/sparse-checkout"];

/** Names that git opens in every directory of a work tree. */
const IN_WORK_TREE: ReadonlySet<string> = new Set([".gitignore", ".gitattributes"]);

/** A file that keeps git from answering. */
export class BlockingFileError extends WorkspaceError {
  readonly file: string;

  constructor(file: string, reason = "is a named pipe or a device, which would keep git from answering") {
    super(`${file} ${reason}. Remove it.`);
    this.file = file;
  }
}

/**
 * Rejects with a `BlockingFileError`. It looks at what git opens to find a repository, from the directory up to the first
 * folder that git takes for one: not at the files in the directory.
 *
 * @returns A folder above that git must not enter, because another user has put a blocking file there, as in `/tmp`.
 */
export async function assertGitCanAnswer(directory: string): Promise<string | undefined> {
  const folders: string[] = [];
  for (let folder = resolve(directory); ; folder = dirname(folder)) {
    folders.push(folder);
    try {
      if ((await checkRepositoryAt(folder)) || (await checkRepository(folder))) break;
    } catch (error) {
      const isAbove = folders.length > 1;
      if (!isAbove || !(error instanceof BlockingFileError) || !(await isOfAnotherUser(error.file)))
        throw error;
      await assertRulesReadable(folders.slice(0, 1));
      return folder;
    }
    // Without a repository, git reads no rules above the directory.
    if (folder === dirname(folder)) {
      await assertRulesReadable(folders.slice(0, 1));
      return undefined;
    }
  }
  await assertRulesReadable(folders);
  return undefined;
}

async function isOfAnotherUser(file: string): Promise<boolean> {
  const found = await inspectFile(file, { followsLinks: false });
  return found !== undefined && found.uid !== 0n && found.uid !== BigInt(process.getuid?.() ?? 0);
}

async function assertRulesReadable(folders: readonly string[]): Promise<void> {
  for (const folder of folders)
    for (const name of IN_WORK_TREE) await assertReadable(join(folder, name), RULES_IN_TREE);
}

/**
 * Looks through the files in the directory and in git's own folder, too, for a limited time. For a git that has not answered
 * for a while.
 */
export async function findBlockingFile(directory: string): Promise<BlockingFileError | undefined> {
  const deadline = performance.now() + MAX_SEARCH_MS;
  const isLate = () => performance.now() > deadline;
  try {
    await assertGitCanAnswer(directory);
    const gitFolders = await findGitFolders(directory);
    const folders = [...gitFolders, directory];
    for (const [at, folder] of folders.entries()) {
      if (at >= MAX_DIRECTORIES || isLate()) break;
      const isGits = gitFolders.some((own) => isInside(folder, own));
      for (const entry of await listEntries(folder)) {
        if (isLate()) break;
        const path = join(folder, entry.name);
        // Git opens many files of its own, such as `sharedindex.*` and packs. A pipe is none of them. A device without end
        // costs git its memory.
        if (isGits && !entry.isDirectory()) await assertReadable(path, { ...ANY_SIZE, allowsDevices: true });
        const isRead = IN_WORK_TREE.has(entry.name);
        if (isRead && !entry.isDirectory()) await assertReadable(path, RULES_IN_TREE);
        else if (entry.name === ".git") await checkRepositoryAt(folder);
        else if (entry.isDirectory()) folders.push(path);
      }
    }
    return undefined;
  } catch (error) {
    if (error instanceof BlockingFileError) return error;
    return undefined;
  }
}

/** The folders of the repository around a directory. A further work tree has one of its own beside the common one. */
async function findGitFolders(directory: string): Promise<string[]> {
  for (let folder = resolve(directory); ; folder = dirname(folder)) {
    const path = join(folder, ".git");
    const found = await inspectFile(path);
    if (found) {
      const target = found.isFile() ? await readGitFile(path) : undefined;
      const own = target === undefined ? path : await realFolder(beside(folder, target));
      return [...new Set([own, await findCommonFolder(own)])];
    }
    if (folder === dirname(folder)) return [];
  }
}

async function findCommonFolder(own: string): Promise<string> {
  const named = trimEndOf(await readToZero(join(own, "commondir")), /[\r\n]/);
  return named === "" ? own : await realFolder(beside(own, named));
}

const GIT_FILE = "gitdir: ";

/** The folder that a file in place of `.git` names. */
async function readGitFile(path: string): Promise<string | undefined> {
  const text = await readToZero(path);
  return text.startsWith(GIT_FILE) ? trimEndOf(text.slice(GIT_FILE.length), /[\r\n]/) : undefined;
}

/** Whether git takes the `.git` of a folder for a repository. Git passes over a pipe or a device of this name. */
async function checkRepositoryAt(folder: string): Promise<boolean> {
  const path = join(folder, ".git");
  const found = await inspectFile(path);
  if (found?.isDirectory()) return await checkRepository(path, folder);
  if (!found?.isFile()) return false;
  const target = await readGitFile(path);
  return target !== undefined && (await checkRepository(await realFolder(beside(folder, target)), folder));
}

/** A path as the system takes it. `resolve` would take `link/..` for the folder that the link is in. */
function beside(folder: string, name: string): string {
  return isAbsolute(name) ? name : `${folder}/${name}`;
}

async function realFolder(path: string): Promise<string> {
  return await lookAt(path, () => realpath(path).catch(() => resolve(path)));
}

/**
 * Whether git takes a folder for a repository. Of another folder it opens two files only.
 *
 * @param top - The top level of its work tree.
 */
async function checkRepository(own: string, top = own): Promise<boolean> {
  await assertReadable(join(own, "HEAD"));
  // It may be a link to a branch without commits.
  if (!(await inspectFile(join(own, "HEAD"), { followsLinks: false }))) return false;
  await assertReadable(join(own, "commondir"));
  const common = await findCommonFolder(own);
  for (const name of ["objects", "refs"]) if (!(await inspectFile(join(common, name)))) return false;
  const folders = [...new Set([own, common])];
  for (const folder of folders) {
    for (const name of READ_FILES) await assertReadable(join(folder, name));
    for (const name of MAPPED_FILES) await assertReadable(join(folder, name), ANY_SIZE);
    for (const name of FILES_WITH_HARMLESS_DEVICES)
      await assertReadable(join(folder, name), { allowsDevices: true });
  }
  await assertRefReadable(folders, join(own, "HEAD"));
  await assertAlternates(join(common, "objects"));
  const configs = new Set([join(common, "config"), join(own, "config.worktree")]);
  for (const config of configs) {
    for (const included of await listIncluded(config, top)) {
      if (configs.has(included)) continue;
      await assertReadable(included);
      configs.add(included);
      if (configs.size > MAX_CHAINED) throw new BlockingFileError(config, "includes too many files");
    }
  }
  return true;
}

/** A ref may name another one. */
async function assertRefReadable(folders: readonly string[], file: string, hops = 0): Promise<void> {
  // No other characters are space for git.
  const [, ref] = /^ref:[ \t\r\n]*([^ \t\r\n]+)/.exec(await readToZero(file)) ?? [];
  if (ref === undefined || hops === MAX_REF_HOPS) return;
  for (const folder of folders) {
    await assertReadable(join(folder, ref));
    await assertRefReadable(folders, join(folder, ref), hops + 1);
  }
}

/** Each folder of objects may name others. */
async function assertAlternates(objects: string): Promise<void> {
  const folders = new Set([objects]);
  for (const folder of folders) {
    const file = join(folder, "info/alternates");
    await assertReadable(file);
    const lines = (await readToZero(file)).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    const base = lines.length > 0 ? await realFolder(folder) : folder;
    for (const line of lines) folders.add(resolve(base, unquote(line)));
    if (folders.size > MAX_CHAINED) throw new BlockingFileError(file, "names too many folders of objects");
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" },
};

/** Reverses the quotes that git puts around a path. */
function unquote(line: string): string {
  const [, quoted] = /^"((?:[^"\\]|\\[\s\S])*)"/.exec(line) ?? [];
  if (quoted === undefined) return line;
  const bytes = Buffer.from(quoted).toString("latin1");
  const plain = bytes.replace(/\\([0-7]{3}|[\s\S])/g, (_, escaped: string) =>
    escaped.length === 3
      ? String.fromCharCode(Number.parseInt(escaped, 8) & 0xff)
      : (ESCAPES[escaped] ?? escaped),
  );
  return Buffer.from(plain, "latin1").toString();
}

/** Files that a config may include, whatever the condition, and its file of attributes. */
async function listIncluded(config: string, top: string): Promise<string[]> {
  const text = await readText(config);
  // It ends the name of a setting or its value for git, wherever it stands: `[include "path<zero>"] x = name` is an include.
  if (text.includes("\0"))
    throw new BlockingFileError(config, "has a zero byte, so it cannot be checked before git opens it");
  const files: string[] = [];
  for (const { section, name, value } of readGitConfig(text)) {
    const isInclude = name === "path" && (section === "include" || section === "includeif");
    const isAttributes = name === "attributesfile" && section === "core";
    if (!isInclude && !isAttributes) continue;
    // Git opens attributes where it works.
    const folder = isInclude ? dirname(config) : top;
    // Git since 2.52 takes this word off.
    for (const path of new Set([value, value.replace(/^:\(optional\)/, "")])) {
      // Git puts the home directory of that user there, or the folder it is installed in. Bytes that are no text are lost.
      if (/^(?:~[^/]|%\(prefix\)\/)|\uFFFD/.test(path))
        throw new BlockingFileError(config, `names ${path}, which cannot be checked before git opens it`);
      files.push(beside(folder, path.replace(/^~(?=\/|$)/, homedir())));
    }
  }
  return files;
}

interface Reading {
  readonly maxBytes?: number;
  /** Whether git takes a device for an empty file. */
  readonly allowsDevices?: boolean;
  readonly followsLinks?: boolean;
}

/** Since 2.32, the oldest that is used, git follows no link in place of such a file. */
const RULES_IN_TREE: Reading = { allowsDevices: true, followsLinks: false };

const ANY_SIZE: Reading = { maxBytes: Number.POSITIVE_INFINITY };

async function assertReadable(
  path: string,
  { maxBytes = MAX_READ_BYTES, allowsDevices = false, followsLinks = true }: Reading = {},
): Promise<BigIntStats | undefined> {
  const found = await inspectFile(path, { followsLinks });
  if (!found) return undefined;
  const isDevice = found.isCharacterDevice() || found.isBlockDevice();
  if (found.isFIFO() || (isDevice && !allowsDevices)) throw new BlockingFileError(path);
  if (found.isFile() && found.size > maxBytes)
    throw new BlockingFileError(path, "is too large for git to read");
  return found;
}

/** Whether git may be told to read the file as a whole. */
export async function isHarmlessFile(path: string): Promise<boolean> {
  const found = await inspectFile(path);
  return !found || (found.isFile() && found.size <= MAX_FILE_BYTES);
}

/**
 * The text of a file that git reads, also through a link. Empty where there is none that can be read. Rejects for a file that
 * is not understood: what it names cannot be checked.
 */
async function readText(path: string): Promise<string> {
  try {
    return String(await readRegularFile(path, { links: "own" }));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof HungError) throw error;
    // The system refuses git, too.
    if (code !== undefined) return "";
    if ((await inspectFile(path))?.isFile() !== true) return "";
    throw new BlockingFileError(path, message.replace(`${path} `, "").replace(/\.$/, ""));
  }
}

/** Git reads these files up to the first zero byte. */
async function readToZero(path: string): Promise<string> {
  const [text = ""] = (await readText(path)).split("\0", 1);
  return text;
}

async function listEntries(folder: string) {
  return await readEntries(folder, MAX_NAMES).then(
    ({ entries }) => entries,
    () => [],
  );
}
