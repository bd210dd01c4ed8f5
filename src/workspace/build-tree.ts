/** The tree objects of files whose contents have ids, without git. */
import type { FileVersion } from "../core/workspace.ts";
import { BYTES } from "./git.ts";
import { objectId } from "./loose-object.ts";

export interface BuiltTree {
  readonly id: string;
  /** All tree objects of it, by id. */
  readonly objects: ReadonlyMap<string, Buffer>;
}

interface Folder {
  readonly files: Map<string, FileVersion>;
  readonly folders: Map<string, Folder>;
}

/**
 * @param entries By path, as latin1.
 * @param prefix Of the part that the tree is of: empty, or ending with a slash. All entries are in it.
 */
export function buildTree(entries: ReadonlyMap<string, FileVersion>, prefix: string): BuiltTree {
  const root: Folder = { files: new Map(), folders: new Map() };
  for (const [path, version] of entries) {
    const names = path.slice(prefix.length).split("/");
    const name = names.pop()!;
    const folder = names.reduce(enter, root);
    folder.files.set(name, version);
  }
  const objects = new Map<string, Buffer>();
  return { id: addFolder(root, objects), objects };
}

function enter({ folders }: Folder, name: string): Folder {
  const known = folders.get(name);
  if (known) return known;
  const created: Folder = { files: new Map(), folders: new Map() };
  folders.set(name, created);
  return created;
}

function addFolder({ files, folders }: Folder, objects: Map<string, Buffer>): string {
  const entries = [
    ...Array.from(files, ([name, { mode, id }]) => ({ order: name, name, mode, id })),
    // Git puts a directory where its name with a slash belongs.
    ...Array.from(folders, ([name, folder]) => ({
      order: `${name}/`,
      name,
      mode: "40000",
      id: addFolder(folder, objects),
    })),
  ].sort((a, b) => (a.order < b.order ? -1 : 1));
  const content = Buffer.concat(
    entries.flatMap(({ name, mode, id }) => [
      Buffer.from(`${mode} ${name}\0`, BYTES),
      Buffer.from(id, "hex"),
    ]),
  );
  const id = objectId("tree", content);
  objects.set(id, content);
  return id;
}
