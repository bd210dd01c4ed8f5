/** The network mount that a path is on, by what the kernel says. Nothing on the mount is asked. */
import { readFileSync } from "node:fs";

/** File systems that may stop to answer as a whole. A disk of this machine fails with an error instead. */
const NETWORK_TYPE =
  /^(nfs\d?|cifs|smb\w*|fuse(\..*)?|9p|virtiofs|ceph|afs|autofs|coda|davfs|glusterfs|lustre|beegfs|gpfs|gfs2|ocfs2|orangefs)$/;

/** For how long the list of mounts is used again: a checkpoint asks about many paths in a row. */
const FRESH_MS = 1000;

export class NetworkMounts {
  #mounts: readonly string[] = [];
  #readAt = Number.NEGATIVE_INFINITY;

  /**
   * Undefined for a path on no network mount, and where the system has no list of mounts. A link on the way to the mount is
   * not followed. The root of the file system is no mount here: everything would wait for it.
   */
  find(path: string): string | undefined {
    if (performance.now() - this.#readAt > FRESH_MS) {
      this.#mounts = readMounts();
      this.#readAt = performance.now();
    }
    return this.#mounts.find((mount) => path === mount || path.startsWith(`${mount}/`));
  }
}

/** The longest first. The kernel makes this file: reading it does not ask the mounts. */
function readMounts(): string[] {
  if (process.platform !== "linux") return [];
  try {
    return parseMounts(readFileSync("/proc/self/mountinfo", "utf8"));
  } catch {
    return [];
  }
}

/** @param text As in `/proc/self/mountinfo`. */
export function parseMounts(text: string): string[] {
  const mounts: string[] = [];
  for (const line of text.split("\n")) {
    const [before = "", after = ""] = line.split(" - ");
    const mount = (before.split(" ")[4] ?? "").replace(/\\([0-7]{3})/g, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 8)),
    );
    const type = after.split(" ")[0] ?? "";
    if (NETWORK_TYPE.test(type) && mount !== "/") mounts.push(mount);
  }
  return mounts.sort((a, b) => b.length - a.length);
}
