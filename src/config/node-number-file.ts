/**
 * The number of this data directory's last node of a cluster, in a file of it, with the place of the directory. A daemon that
 * is started again there knows by it which node was its predecessor, and has its lock, so that one is dead. A copy of the
 * directory brings the file along and lies elsewhere; so may a directory of a machine that was started again.
 */
import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { bootId } from "../files/directory-identity.ts";
import { readPrivateFile, replacePrivateFile } from "../files/private-file.ts";

const FILE = "node";

export function nodeNumberFile(directory: string) {
  const path = join(directory, FILE);
  return {
    /** Undefined where none was kept at this place. */
    read(): number | undefined {
      const [number, place] = (readPrivateFile(path) ?? "").split(" ");
      return place === placeOf(directory) ? Number(number) : undefined;
    },
    keep: (node: number): void => replacePrivateFile(path, `${node} ${placeOf(directory)}`),
  };
}

/** An image of a disk has the same numbers for it, but under another system that was started for itself. */
function placeOf(directory: string): string {
  const { dev, ino } = statSync(directory, { bigint: true });
  // Where the system does not name its start, the place on the disk has to do.
  return createHash("sha256").update([dev, ino, bootId()].join(" ")).digest("hex").slice(0, 32);
}
