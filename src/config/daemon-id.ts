/**
 * The id with which a data directory's daemons mark their processes: the same for all, so that each recognises what the
 * last one left.
 */
import { createHash, randomUUID } from "node:crypto";
import { readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { keepPrivateFile, readPrivateFile } from "../files/private-file.ts";

const FILE = "daemon-id";

export function keepDaemonId(directory: string): string {
  return boundTo(
    directory,
    keepPrivateFile(join(directory, FILE), () => randomUUID()),
  );
}

/** Undefined when no daemon ever ran here. */
export function readDaemonId(directory: string): string | undefined {
  const id = readPlainDaemonId(directory);
  return id === undefined ? undefined : boundTo(directory, id);
}

/**
 * The id in the file, with which daemons of earlier versions marked their processes. A copy of the directory has the
 * same.
 */
export function readPlainDaemonId(directory: string): string | undefined {
  return readPrivateFile(join(directory, FILE));
}

/**
 * A copy of the directory brings the file along, but it lies elsewhere on the disk; a moved one stays where it is. A
 * container with the same directory sees other processes under the same numbers.
 */
function boundTo(directory: string, id: string): string {
  const { dev, ino } = statSync(directory, { bigint: true });
  const place = [id, dev, ino, processNamespace()].join(" ");
  return createHash("sha256").update(place).digest("hex").slice(0, 32);
}

/** Linux only; elsewhere there is one. */
function processNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}
