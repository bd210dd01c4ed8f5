/** The process table from `ps`, for macOS. Its marker column is untested: `-E` exists on macOS only. */
import { execFile, execFileSync } from "node:child_process";
import { promisify } from "node:util";
import { OWNER_VARIABLE } from "./owner-marker.ts";
import type { ProcessEntry, ProcessTable } from "./process-table.ts";

/** Start times are in whole seconds. */
const RESOLUTION_MS = 1000;

const COLUMNS = "pid=,ppid=,pgid=,stat=,lstart=";
const OPTIONS = {
  encoding: "utf8",
  // In one zone, since local times repeat in autumn and `ps` may know another zone than we do.
  env: { PATH: "/bin:/usr/bin", LC_ALL: "C", TZ: "UTC0" },
  maxBuffer: 256 * 1024 * 1024,
  timeout: 10_000,
  killSignal: "SIGKILL",
} as const;

export const psProcessTable: ProcessTable = {
  read(pid) {
    try {
      const stdio = ["ignore", "pipe", "ignore"] as const;
      const output = execFileSync("ps", ["-o", COLUMNS, "-p", String(pid)], {
        ...OPTIONS,
        stdio: [...stdio],
      });
      return parseTable(output)[0];
    } catch (error) {
      // The exit code of `ps` if no process has this pid.
      if ((error as { status?: number }).status === 1) return undefined;
      throw error;
    }
  },

  async list(markerVariable) {
    const run = promisify(execFile);
    const table = await run("ps", ["-ax", "-o", COLUMNS], OPTIONS);
    const entries = parseTable(table.stdout);
    if (process.platform !== "darwin") return entries;
    // After the start times, for the reason given in the table of Linux.
    const environments = await run("ps", ["-E", "-ax", "-ww", "-o", "pid=,command="], OPTIONS);
    const markers = parseMarkers(environments.stdout, markerVariable);
    return entries.map((entry) => ({ ...entry, marker: markers.get(entry.pid) }));
  },

  program() {
    return undefined;
  },

  startAges() {
    return ({ startTime }) => leastAge(startTime, Date.now());
  },
};

/** Assumes the end of the second: a command that just began must not count as an old one. */
export function leastAge(startTime: string, now: number): number {
  const start = Date.parse(`${startTime.replaceAll("_", " ")} UTC`);
  return now - start - RESOLUTION_MS;
}

function parseTable(text: string): ProcessEntry[] {
  return [...text.matchAll(/^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/gm)].map((row) => ({
    pid: Number(row[1]),
    parent: Number(row[2]),
    group: Number(row[3]),
    zombie: row[4]!.startsWith("Z"),
    // Without blanks, since it becomes part of a marker.
    startTime: row[5]!.replaceAll(/\s+/g, "_"),
  }));
}

/** The environment follows the arguments, so the last match is it even if an argument looks like one. */
export function parseMarkers(text: string, variable = OWNER_VARIABLE): Map<number, string> {
  const rows = text.matchAll(new RegExp(`^\\s*(\\d+)\\s.*\\s${variable}=(\\S+)`, "gm"));
  return new Map([...rows].map((row) => [Number(row[1]), row[2]!]));
}
