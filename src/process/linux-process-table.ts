/** The process table of Linux, read from `/proc`. */
import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { uptime } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { resolveLocally } from "./local-path.ts";
import { OWNER_VARIABLE } from "./owner-marker.ts";
import type { ProcessEntry, ProcessTable } from "./process-table.ts";
import { runningProgram } from "./running-program.ts";

/** Synchronous reads of `/proc` take a quarter of the time, and in slices they do not block the daemon. */
const SLICE = 32;

/** Start times are in hundredths of a second since boot, on every architecture. */
const TICK_MS = 10;

export const linuxProcessTable: ProcessTable = {
  read(pid) {
    const text = readIfThere(`/proc/${pid}/stat`);
    return text === undefined ? undefined : parseStat(text);
  },

  async list(markerVariable = OWNER_VARIABLE) {
    const entries: ProcessEntry[] = [];
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    for (const [index, pid] of pids.entries()) {
      if (index % SLICE === SLICE - 1) await setImmediate();
      // The environment after the start time: should the pid change hands in between, the start time is the stale
      // one, and the check before each signal then protects the newcomer.
      const entry = linuxProcessTable.read(Number(pid));
      if (entry !== undefined) entries.push({ ...entry, marker: readMarker(pid, markerVariable) });
    }
    return entries;
  },

  program(pid) {
    const executable = ifThere(() => readlinkSync(`/proc/${pid}/exe`));
    const line = readIfThere(`/proc/${pid}/cmdline`);
    if (executable === undefined || line === undefined) return undefined;
    const [, ...args] = line.replace(/\0$/, "").split("\0");
    // The mark of a file that an upgrade replaced.
    const path = executable.replace(/ \(deleted\)$/, "");
    return runningProgram(path, args, (argument) => fileNamed(argument, `/proc/${pid}/cwd`));
  },

  startAges() {
    // In a container `uptime` and start times may refer to different boots, so our own age is used.
    const own = Number(linuxProcessTable.read(process.pid)!.startTime) * TICK_MS;
    const skew = own + process.uptime() * 1000 - uptime() * 1000;
    return ({ startTime }) => uptime() * 1000 + skew - Number(startTime) * TICK_MS;
  },
};

/**
 * The file with links resolved. On a network mount it is the argument itself if that is absolute, and else none: the mount may
 * never answer, and the daemon would stand still.
 */
function fileNamed(argument: string, cwd: string): string | undefined {
  try {
    const isAbsolute = argument.startsWith("/");
    const path = resolveLocally(isAbsolute ? argument : join(readlinkSync(cwd), argument));
    if (path === undefined) return isAbsolute ? argument : undefined;
    return statSync(path).isFile() ? path : undefined;
  } catch {
    return undefined;
  }
}

/** `pid (name) state parent group …`, with the start time as field 22. The name may hold blanks and parentheses. */
export function parseStat(text: string): ProcessEntry {
  const nameEnd = text.lastIndexOf(")");
  const fields = text.slice(nameEnd + 2).split(" ");
  return {
    pid: Number.parseInt(text, 10),
    zombie: fields[0] === "Z" || fields[0] === "X",
    parent: Number(fields[1]),
    group: Number(fields[2]),
    startTime: fields[19]!,
  };
}

function readMarker(pid: string, variable: string): string | undefined {
  const prefix = `${variable}=`;
  const variables = readIfThere(`/proc/${pid}/environ`)?.split("\0");
  return variables?.find((variable) => variable.startsWith(prefix))?.slice(prefix.length);
}

function readIfThere(path: string): string | undefined {
  return ifThere(() => readFileSync(path, "utf8"));
}

/**
 * Processes end while we look at them, and some are not ours to read. Any other failure (no file descriptor left)
 * must not pass for "it is gone".
 */
function ifThere(read: () => string): string | undefined {
  try {
    return read();
  } catch (error) {
    if (["ENOENT", "ESRCH", "EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? ""))
      return undefined;
    throw error;
  }
}
