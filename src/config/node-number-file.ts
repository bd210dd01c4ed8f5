/**
 * The number of this data directory's last node of a cluster, in a file of it. A daemon that is started again knows by it
 * which node was its predecessor; a copy of the directory does not know what the other one has joined as since.
 */
import { join } from "node:path";
import { readPrivateFile, replacePrivateFile } from "../files/private-file.ts";

const FILE = "node";

export function nodeNumberFile(directory: string) {
  const path = join(directory, FILE);
  return {
    /** Undefined where none was kept. */
    read(): number | undefined {
      const number = Number(readPrivateFile(path) ?? Number.NaN);
      return Number.isSafeInteger(number) ? number : undefined;
    },
    keep: (node: number): void => replacePrivateFile(path, String(node)),
  };
}
