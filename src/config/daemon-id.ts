/** The name a data directory's daemons sign their processes with: one for all of them, so that each knows what the last left. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { keepPrivateFile, readPrivateFile } from "./private-file.ts";

const FILE = "daemon-id";

export function keepDaemonId(directory: string): string {
  return keepPrivateFile(join(directory, FILE), randomUUID);
}

/** Undefined when no daemon ever ran here. */
export function readDaemonId(directory: string): string | undefined {
  return readPrivateFile(join(directory, FILE));
}
