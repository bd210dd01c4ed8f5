/** Tiny processes that outlive the daemon and end what its agents left running. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Writable } from "node:stream";
import { searchPath } from "../core/search-path.ts";
import { REAPER_SCRIPT } from "./reaper-script.ts";

export interface Reaper {
  /** End this process group when the daemon is gone. The pid is that of the group's leader. */
  watch(pid: number): void;
  /** The group is gone; its number may soon be somebody else's. Idempotent, also for a pid never watched. */
  forget(pid: number): void;
  /** Stops everything it would end, unless it is called again within this time. Then what was stopped goes on. */
  freezeIn(milliseconds: number): void;
  /** Ends the groups still watched, then the reaper itself. Idempotent. Resolves when it is gone. */
  stop(): Promise<void>;
}

export interface ReaperOptions {
  /** For `grep`: the environment of processes to end whatever group they are in. Only where there is /proc. */
  readonly ownerPattern?: string;
}

/** Two, so that killing the daemon and one of them still leaves one that ends the agents. */
const COUNT = 2;

/** A reaper that dies sooner than this is not started again at once: something keeps killing it. */
const SHORT_LIFE_MS = 1000;

/** One per daemon. It does not keep the daemon's event loop alive. A reaper process that is killed is replaced. */
export function startReaper({ ownerPattern = "" }: ReaperOptions = {}): Reaper {
  const groups = new Set<number>();
  const running = new Map<ReaperProcess, Promise<unknown>>();
  let isStopping = false;

  const start = () => {
    const startedAt = performance.now();
    const child = launch(ownerPattern);
    if (child.pid === undefined) return false;
    for (const group of groups) tell(child, `+${group}`);
    const exited = new Promise((resolve) => child.once("exit", resolve)).then(() => {
      running.delete(child);
      if (isStopping) return;
      if (performance.now() - startedAt > SHORT_LIFE_MS) replace();
      else setTimeout(replace, SHORT_LIFE_MS).unref();
    });
    running.set(child, exited);
    return true;
  };
  const replace = () => {
    if (!isStopping && !start()) setTimeout(replace, SHORT_LIFE_MS).unref();
  };

  for (let count = 0; count < COUNT; count += 1) {
    if (!start()) throw new Error("Could not start /bin/sh, which ends agents when the daemon dies.");
  }

  return {
    watch(pid) {
      if (!Number.isSafeInteger(pid) || pid <= 1)
        throw new RangeError(`${pid} is no process group of an agent.`);
      groups.add(pid);
      for (const child of running.keys()) tell(child, `+${pid}`);
    },
    forget(pid) {
      if (groups.delete(pid)) for (const child of running.keys()) tell(child, `-${pid}`);
    },
    freezeIn(milliseconds) {
      for (const child of running.keys()) tell(child, `~${(milliseconds / 1000).toFixed(1)}`);
    },
    async stop() {
      isStopping = true;
      for (const child of running.keys()) {
        child.ref();
        child.stdin.end();
      }
      await Promise.all(running.values());
    },
  };
}

type ReaperProcess = ChildProcessByStdio<Writable, null, null>;

/** Without a pid when it could not be started. */
function launch(ownerPattern: string): ReaperProcess {
  // Its name does not contain ours: `pkill -f` with our name should end the daemon, but not the reaper.
  const child = spawn("/bin/sh", ["-c", REAPER_SCRIPT, "agent-reaper", ownerPattern], {
    // A session of its own: what is sent to the daemon's group or terminal does not reach it.
    detached: true,
    // No owner marker, or a sweep would take the reaper for an agent; no directory that might be removed.
    env: { PATH: searchPath(process.env) || "/usr/bin:/bin" },
    cwd: "/",
    stdio: ["pipe", "ignore", "ignore"],
  });
  // A failed start shows as a missing pid; a killed reaper must not take the daemon with it.
  child.on("error", () => {});
  // Without a free file descriptor there is no pipe either.
  if (child.pid === undefined) return child;
  child.stdin.on("error", () => {});
  child.unref();
  // Typed as a plain stream, but the pipe of a child is a socket.
  (child.stdin as typeof child.stdin & { unref?(): void }).unref?.();
  return child;
}

function tell(child: ReaperProcess, line: string): void {
  if (child.stdin.writable) child.stdin.write(`${line}\n`);
}
