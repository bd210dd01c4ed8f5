/** Reads regular files of an open directory, up to a limit. Never waits for a pipe or a device. */
import { type BigIntStats, constants } from "node:fs";
import { lstat, open } from "node:fs/promises";
import { ToolFailure } from "../tool-failure.ts";
import type { OpenDirectory } from "./confined-directory.ts";

export interface FileBytes {
  readonly bytes: Buffer;
  readonly stats: BigIntStats;
  /** Whether there is more than these bytes. */
  readonly isCut: boolean;
}

/** Rejects as the system does, and with `not_a_file` for all but regular files. */
export async function readBytes(
  directory: OpenDirectory,
  name: string,
  maxBytes: number,
): Promise<FileBytes> {
  const path = directory.at(name);
  // Before it is opened: opening alone does something to some devices.
  assertRegular(name, await lstat(path, { bigint: true }));
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  await using file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  const stats = await file.stat({ bigint: true });
  assertRegular(name, stats);
  // One byte more tells whether there is more, also of a file that grows.
  const size = Math.min(Number(stats.size), maxBytes) + 1;
  const buffer = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await file.read(buffer, length, size - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return { bytes: buffer.subarray(0, Math.min(length, maxBytes)), stats, isCut: length > maxBytes };
}

function assertRegular(name: string, stats: BigIntStats): void {
  if (stats.isFile()) return;
  const what = stats.isDirectory() ? "a directory" : stats.isSymbolicLink() ? "a link" : "no regular file";
  throw new ToolFailure("not_a_file", `${JSON.stringify(name)} is ${what}.`);
}
