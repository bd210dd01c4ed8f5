/**
 * Whether two processes see the very same directory. Both tell what the kernel says of it, as a digest: where that is equal
 * they run under one start of one kernel, and the directory is one inode of one mounted file system. Containers share the
 * kernel, and have other device numbers or inodes unless a directory is mounted into both.
 */
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";

/**
 * Undefined where the system does not name its start, as only Linux does: elsewhere two machines may have the same numbers.
 *
 * @param directory A real path.
 */
export function directoryIdentity(directory: string): string | undefined {
  const boot = bootId();
  if (boot === "") return undefined;
  const { dev, ino, birthtimeNs } = statSync(directory, { bigint: true });
  // The device number of a file system without a disk is free again once that is unmounted: its mount and the birth of the
  // directory tell a later one from it.
  const identity = [boot, dev, ino, birthtimeNs, mountOf(dev)];
  return createHash("sha256").update(identity.join("\n")).digest("hex").slice(0, 32);
}

/** The id of this start of the system. Empty where there is none: Linux only. */
export function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "";
  }
}

/** Describes the mount with a device number. The layers of an overlay name the container that they belong to. */
function mountOf(dev: bigint): string {
  try {
    return parseMountOf(readFileSync("/proc/self/mountinfo", "utf8"), dev);
  } catch {
    return "";
  }
}

/** @param text As in `/proc/self/mountinfo`. */
export function parseMountOf(text: string, dev: bigint): string {
  const device = `${majorOf(dev)}:${minorOf(dev)}`;
  for (const line of text.split("\n")) {
    const [before = "", after = ""] = line.split(" - ");
    if (before.split(" ")[2] !== device) continue;
    const [type = "", , options = ""] = after.split(" ");
    // Other file systems may be mounted again with other options.
    return type === "overlay" ? `${type} ${options}` : type;
  }
  return "";
}

function majorOf(dev: bigint): bigint {
  return ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn);
}

function minorOf(dev: bigint): bigint {
  return (dev & 0xffn) | ((dev >> 12n) & ~0xffn);
}
