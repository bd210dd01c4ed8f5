/** What is told of a directory to somebody who looks for one to work in. */
import type { Dirent } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import type { ListedDirectory } from "../../core/node-files.ts";
import { HeldDirectory } from "../../files/held-directory.ts";
import { lookAt } from "../../files/regular-file.ts";
import type { AllowedRoots } from "./allowed-roots.ts";
import { isRepository } from "./is-repository.ts";

/** Undefined for a link that leads to no directory inside the roots. */
export async function describeDirectory(
  held: HeldDirectory,
  entry: Dirent,
  roots: AllowedRoots,
): Promise<ListedDirectory | undefined> {
  const { name } = entry;
  // By its name: the way by the descriptor is another one each time.
  const find = () => lookAt(join(held.path, name), () => realpath(held.at(name)));
  // JSON cannot carry it, so no session could be given it.
  if (name.includes("\uFFFD")) return undefined;
  if (entry.isSymbolicLink() && !(await leadsInside(find, roots))) return undefined;
  return {
    name,
    path: join(held.path, name),
    ...((await isRepositoryInside(find, roots)) && { isRepository: true }),
    ...(name.startsWith(".") && { isHidden: true }),
  };
}

async function leadsInside(find: () => Promise<string>, roots: AllowedRoots): Promise<boolean> {
  try {
    const real = await find();
    return roots.isInRoots(real) && (await stat(real)).isDirectory();
  } catch {
    return false;
  }
}

/** Looks only into what lies inside at that moment. */
async function isRepositoryInside(find: () => Promise<string>, roots: AllowedRoots): Promise<boolean> {
  try {
    await using held = await HeldDirectory.open(await find());
    return roots.isInRoots(held.path) && (await isRepository(held.at()));
  } catch {
    return false;
  }
}
