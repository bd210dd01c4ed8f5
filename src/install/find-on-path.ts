/** Finds a program the way a shell does. */
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

/** The first executable file of that name, as an absolute path. */
export async function findOnPath(name: string, searchPath: string): Promise<string | undefined> {
  for (const directory of searchPath.split(delimiter)) {
    // An empty or relative entry leads into the working directory, which is somebody's project.
    if (!isAbsolute(directory)) continue;
    const path = join(directory, name);
    if (await isExecutable(path)) return path;
  }
  return undefined;
}

export async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
