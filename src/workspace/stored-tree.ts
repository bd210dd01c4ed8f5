/** Whether a tree that was written once is still in our repository, without git: a damaged one is git's to find out. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isLoose } from "./loose-object.ts";

export interface StoredTree {
  readonly tree: string;
  /** The packs, one of which has it; undefined if it was a file of its own. */
  readonly packs: string | undefined;
}

/** Of a tree that git has just written or found. */
export async function storedTree(store: string, tree: string): Promise<StoredTree> {
  return { tree, packs: (await isLoose(store, tree)) ? undefined : await listPacks(store) };
}

export async function isStillStored(store: string, { tree, packs }: StoredTree): Promise<boolean> {
  if (packs === undefined || packs === "") return await isLoose(store, tree);
  return packs === (await listPacks(store));
}

async function listPacks(store: string): Promise<string> {
  return (await readdir(join(store, "objects", "pack")).catch(() => [])).sort().join("\n");
}
