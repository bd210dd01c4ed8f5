/** Whether the data directory can be used: by us, and by nobody else. */
import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { formatBytes } from "../format-bytes.ts";
import type { Finding } from "./finding.ts";

const LOW_BYTES = 1024 ** 3;
const TOO_LOW_BYTES = 100 * 1024 ** 2;

export function checkDataDirectory(directory: string): Finding {
  const about = "data";
  const status = statSync(directory, { throwIfNoEntry: false });
  if (status && !status.isDirectory()) {
    return {
      about,
      state: "problem",
      detail: `${directory} is not a directory. Choose another with --data.`,
    };
  }
  const place = nearestExisting(directory);
  if (!isWritable(place)) {
    return { about, state: "problem", detail: `${place} cannot be written to. Choose another with --data.` };
  }
  if (!status) return { about, state: "ok", detail: `${directory} will be made at the first start` };
  if ((status.mode & 0o077) !== 0) {
    const detail = `Others can look into ${directory}. Run \`chmod 700 ${directory}\`.`;
    return { about, state: "warning", detail };
  }
  return { about, state: "ok", detail: directory };
}

export function checkFreeSpace(directory: string): Finding {
  const about = "space";
  const { bavail, bsize } = statfsSync(nearestExisting(directory));
  const free = bavail * bsize;
  const detail = `${formatBytes(free)} free for ${directory}`;
  if (free < TOO_LOW_BYTES) return { about, state: "problem", detail: `Only ${detail}. Make room.` };
  if (free < LOW_BYTES) return { about, state: "warning", detail: `Only ${detail}. Make room soon.` };
  return { about, state: "ok", detail };
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path));
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
