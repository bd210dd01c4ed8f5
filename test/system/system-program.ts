/** Programs of the system that tests here run, such as nginx. npm does not install them. */
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Every program that a test here needs. A new one is a name in this list. */
export const SYSTEM_PROGRAMS = ["nginx", "haproxy"] as const;

export type SystemProgram = (typeof SYSTEM_PROGRAMS)[number];

/** Servers are installed here, and the search path of a user often lacks it. */
const SERVER_FOLDERS = ["/usr/local/sbin", "/usr/sbin", "/sbin"];

/** The path of a program; undefined where it is not installed. */
export function findSystemProgram(
  name: SystemProgram,
  searchPath: string | undefined = process.env.PATH,
  serverFolders: readonly string[] = SERVER_FOLDERS,
): string | undefined {
  const folders = [...(searchPath ?? "").split(delimiter).filter(Boolean), ...serverFolders];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
