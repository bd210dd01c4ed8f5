/** Whether there is a git that can be used. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { askGit } from "./git.ts";

const OLDEST = [2, 32] as const;

/** From here on many new files go into packs. */
const PACKING = [2, 37] as const;

export type GitVersion =
  | { readonly isUsable: true; readonly version: string; readonly canPack: boolean }
  | { readonly isUsable: false; readonly reason: string };

export async function findGit(): Promise<GitVersion> {
  // The git of a Mac without developer tools opens a dialog.
  if (process.platform === "darwin") {
    try {
      await promisify(execFile)("/usr/bin/xcode-select", ["-p"], { timeout: 10_000, killSignal: "SIGKILL" });
    } catch {
      return { isUsable: false, reason: "Git is not installed: run xcode-select --install." };
    }
  }
  try {
    const { stdout } = await askGit("/", ["--version"]);
    const [version = "", major = "0", minor = "0"] = /(\d+)\.(\d+)[.\d]*/.exec(stdout.toString()) ?? [];
    const numbers = [Number(major), Number(minor)] as const;
    if (isAtLeast(numbers, OLDEST)) return { isUsable: true, version, canPack: isAtLeast(numbers, PACKING) };
    return { isUsable: false, reason: `Git ${major}.${minor} is too old: 2.32 or later is needed.` };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT")
      return { isUsable: false, reason: "Git is not installed, or not in the PATH of the daemon." };
    // No process, no memory: it is asked again the next time.
    return { isUsable: false, reason: `Git cannot be started now: ${(error as Error).message}.` };
  }
}

function isAtLeast(version: readonly [number, number], other: readonly [number, number]): boolean {
  return version[0] > other[0] || (version[0] === other[0] && version[1] >= other[1]);
}
