/** The directories in a directory that is held open, and links, which may lead to some, in the order in which they are shown. */
import type { Dirent } from "node:fs";
import { opendir } from "node:fs/promises";
import type { HeldDirectory } from "../../files/held-directory.ts";

export interface Subdirectories {
  entries: Dirent[];
  /** How many names were read, files among them. */
  names: number;
  /** There are more names. */
  isCut: boolean;
}

/** Hidden ones come last. Reads `most` names. */
export async function readSubdirectories(held: HeldDirectory, most: number): Promise<Subdirectories> {
  const entries: Dirent[] = [];
  let names = 0;
  let isCut = false;
  for await (const entry of await opendir(held.at())) {
    if (names >= most) {
      isCut = true;
      break;
    }
    names += 1;
    if (entry.isDirectory() || entry.isSymbolicLink()) entries.push(entry);
  }
  const { compare } = new Intl.Collator("en", { numeric: true });
  entries.sort(
    (one, other) =>
      Number(one.name.startsWith(".")) - Number(other.name.startsWith(".")) || compare(one.name, other.name),
  );
  return { entries, names, isCut };
}
