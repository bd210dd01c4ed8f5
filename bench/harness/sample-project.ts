/** A project directory with many small files, with a repository or without. */
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/** Files that were just written are read again, so measuring begins when they are no longer new. */
export const SETTLED_MS = 4000;

const runProgram = promisify(execFile);

/** About 3 KB each, in folders of `perFolder`, no two with the same content. */
export async function writeFiles(directory: string, files: number, perFolder = 100): Promise<void> {
  for (let at = 0; at < files; at += perFolder) {
    const folder = join(directory, `folder-${at / perFolder + 1}`);
    await mkdir(folder, { recursive: true });
    const names = Array.from({ length: Math.min(perFolder, files - at) }, (_, place) => place + 1);
    await Promise.all(
      names.map((name) =>
        writeFile(join(folder, `file-${name}.txt`), `line of file ${at + name}\n`.repeat(130)),
      ),
    );
  }
}

export async function commitAll(directory: string): Promise<void> {
  const settings = ["-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "gc.auto=0"];
  await runProgram("git", ["init", "-q"], { cwd: directory });
  await runProgram("git", [...settings, "add", "."], { cwd: directory });
  await runProgram("git", [...settings, "commit", "-qm", "first"], { cwd: directory });
}
