/** Resolves the links of a path without asking a network mount, which may never answer. */
import { readlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { NetworkMounts } from "../files/network-mount.ts";

/** The system follows no more. */
const MAX_LINKS = 40;

/** It keeps the list of mounts for a second. */
const mounts = new NetworkMounts();

/** Undefined for a path that leads to a network mount. Throws as `realpathSync` does. The path is absolute. */
export function resolveLocally(path: string): string | undefined {
  const names = path.split("/");
  let resolved = "/";
  let links = 0;
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    if (name === "" || name === ".") continue;
    const next = name === ".." ? dirname(resolved) : join(resolved, name);
    if (mounts.find(next) !== undefined) return undefined;
    const target = name === ".." ? undefined : readLink(next);
    if (target === undefined) resolved = next;
    else {
      links += 1;
      if (links > MAX_LINKS) throw new Error(`${path} has too many links`);
      if (target.startsWith("/")) resolved = "/";
      names.unshift(...target.split("/"));
    }
  }
  return resolved;
}

/** Undefined for what is no link. */
function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EINVAL") return undefined;
    throw error;
  }
}
