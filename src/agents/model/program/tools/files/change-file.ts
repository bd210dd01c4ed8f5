/**
 * Changes one file of the session's directory: whole or not at all, by a new file that takes its place. Its rights, its
 * byte order mark and its encoding stay. If somebody else changes it meanwhile, it is read again.
 */
import { randomBytes } from "node:crypto";
import { type BigIntStats, constants, lstatSync, renameSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { basename, dirname, relative, sep } from "node:path";
import { trimEndOf } from "../../../../../core/trim-end-of.ts";
import type { FileChange } from "../tool.ts";
import { fileFailure, ToolFailure } from "../tool-failure.ts";
import { isWithin, type OpenDirectory, openDirectory, resolveInside } from "./confined-directory.ts";
import { diffOf } from "./diff-of.ts";
import { type FileBytes, readBytes } from "./read-bytes.ts";
import { decodeText, encodeText, type TextContent } from "./text-content.ts";

export interface FileEdit {
  /** As the model gave it. */
  readonly path: string;
  /** Gets what the file holds, undefined where there is none; returns what it shall hold. Throws `ToolFailure`. */
  make(before: CurrentFile | undefined): string;
  /** Whether all of the text is new. Then it may become UTF-8 where the encoding of the file lacks a character. */
  readonly isWhole?: boolean;
}

export interface CurrentFile {
  /** Throws for files that are too large or not text. */
  text(): string;
  /** Whether every line ends in a carriage return and a line feed. */
  hasOnlyCarriageReturns(): boolean;
}

export const MAX_EDIT_BYTES = 16 * 1024 * 1024;
const MAX_ATTEMPTS = 100;

/** What the edit would change: nothing, or one file. */
export async function previewEdit(root: string, edit: FileEdit): Promise<FileChange[]> {
  return explained(edit.path, async () => {
    const target = await resolveTarget(root, edit.path);
    return changesOf(prepare(target, edit, await readTarget(root, target)));
  });
}

export async function applyEdit(root: string, edit: FileEdit): Promise<FileChange[]> {
  return explained(edit.path, async () => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const target = await resolveTarget(root, edit.path);
      const prepared = prepare(target, edit, await readTarget(root, target));
      if (changesOf(prepared).length === 0) return [];
      await using directory = await openDirectory(root, dirname(target), { create: true });
      if (await replace(directory, basename(target), prepared)) return changesOf(prepared);
    }
    throw new ToolFailure("changed_meanwhile", `${JSON.stringify(edit.path)} keeps changing. Read it again.`);
  });
}

/** Throws for files that decide what git runs: writing them would run commands without asking for a command. */
export function assertNotGit(root: string, real: string, path: string): void {
  const names = relative(root, real).split(sep);
  if (names.some(isGitName))
    throw new ToolFailure(
      "permission_denied",
      `${JSON.stringify(path)} belongs to git. Use git by run_command.`,
    );
}

/** By every name that some file system takes for `.git`: other letters, signs without width, short names. */
function isGitName(name: string): boolean {
  const visible = name.normalize("NFKC").replaceAll(/\p{Cf}/gu, "");
  const plain = trimEndOf(visible, /[. ]/).toLowerCase();
  return plain === ".git" || plain === "git~1";
}

interface Prepared {
  readonly target: string;
  readonly before: FileBytes | undefined;
  readonly bytes: Buffer;
  readonly diff: string | undefined;
}

async function resolveTarget(root: string, path: string): Promise<string> {
  const target = await resolveInside(root, path);
  if (target === root) throw new ToolFailure("not_a_file", "This is the session's directory itself.");
  assertNotGit(root, target, path);
  return target;
}

async function readTarget(root: string, target: string): Promise<FileBytes | undefined> {
  try {
    await using directory = await openDirectory(root, dirname(target));
    return await readBytes(directory, basename(target), MAX_EDIT_BYTES);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT" && isWithin(root, target)) return undefined;
    throw error;
  }
}

function prepare(target: string, edit: FileEdit, before: FileBytes | undefined): Prepared {
  if (before && (before.stats.mode & 0o222n) === 0n)
    throw new ToolFailure("permission_denied", `${JSON.stringify(edit.path)} is read-only.`);
  const content = contentOf(edit.path, before);
  const text = edit.make(before && currentFile(content!));
  const bytes = encode(edit, text, content instanceof ToolFailure ? undefined : content);
  return {
    target,
    before,
    bytes,
    diff: content instanceof ToolFailure ? undefined : diffOf(target, content?.text, text),
  };
}

function contentOf(path: string, file: FileBytes | undefined): TextContent | ToolFailure | undefined {
  if (!file) return undefined;
  if (file.isCut)
    return new ToolFailure(
      "too_large",
      `${JSON.stringify(path)} is larger than ${MAX_EDIT_BYTES} bytes. Change it with run_command.`,
    );
  try {
    return decodeText(path, file.bytes);
  } catch (error) {
    return error as ToolFailure;
  }
}

function encode(edit: FileEdit, text: string, form: TextContent | undefined): Buffer {
  try {
    return encodeText(edit.path, text, form);
  } catch (error) {
    if (!edit.isWhole) throw error;
    return encodeText(edit.path, text);
  }
}

function currentFile(content: TextContent | ToolFailure): CurrentFile {
  return {
    text() {
      if (content instanceof ToolFailure) throw content;
      return content.text;
    },
    hasOnlyCarriageReturns() {
      return (
        !(content instanceof ToolFailure) && /\r\n/.test(content.text) && !/(?<!\r)\n/.test(content.text)
      );
    },
  };
}

function changesOf({ target, before, bytes, diff }: Prepared): FileChange[] {
  if (before && !before.isCut && before.bytes.equals(bytes)) return [];
  return [{ path: target, change: before ? "changed" : "created", ...(diff !== undefined && { diff }) }];
}

/** False if the file is no longer the one that was read. */
async function replace(
  directory: OpenDirectory,
  name: string,
  { before, bytes }: Prepared,
): Promise<boolean> {
  const temporary = directory.at(`.${randomBytes(8).toString("hex")}.interlingua`);
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  try {
    await using file = await open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666);
    await file.writeFile(bytes);
    if (before) await keepRights(file, before.stats);
    await file.datasync();
    // Without a pause in between: of two edits of ours at the same time the second sees that of the first.
    const now = lstatSync(directory.at(name), { bigint: true, throwIfNoEntry: false });
    if (!isSame(before?.stats, now)) return false;
    renameSync(temporary, directory.at(name));
    return true;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function keepRights(file: FileHandle, { uid, gid, mode }: BigIntStats): Promise<void> {
  const own = await file.stat({ bigint: true });
  // Only root can, and for others the file has become theirs.
  if (own.uid !== uid || own.gid !== gid) await file.chown(Number(uid), Number(gid)).catch(() => {});
  await file.chmod(Number(mode & 0o777n));
}

function isSame(one: BigIntStats | undefined, other: BigIntStats | undefined): boolean {
  if (!one || !other) return one === other;
  return (
    one.ino === other.ino && one.dev === other.dev && one.size === other.size && one.ctimeNs === other.ctimeNs
  );
}

async function explained<Value>(path: string, act: () => Promise<Value>): Promise<Value> {
  try {
    return await act();
  } catch (error) {
    throw fileFailure(path, error);
  }
}
