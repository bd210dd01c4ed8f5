/** The daemon's last will: a tiny process that outlives it and ends the agents' process groups. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { REAPER_SCRIPT } from "./reaper-script.ts";

export interface Reaper {
  /** End this process group when the daemon is gone. The pid is that of the group's leader. */
  watch(pid: number): void;
  /** The group is gone; its number may soon be somebody else's. Idempotent, also for a pid never watched. */
  forget(pid: number): void;
  /** Ends the groups still watched, then the reaper itself. Idempotent. Resolves when it is gone. */
  stop(): Promise<void>;
}

/** One per daemon. It does not keep the daemon's event loop alive. */
export function startReaper(): Reaper {
  const child = spawn("/bin/sh", ["-c", REAPER_SCRIPT, "interlingua-reaper"], {
    // A session of its own: what is sent to the daemon's group or terminal does not reach it.
    detached: true,
    // No owner marker, or a sweep would take the reaper for an agent; no directory that might be removed.
    env: { PATH: process.env.PATH ?? "/usr/bin:/bin" },
    cwd: "/",
    stdio: ["pipe", "ignore", "ignore"],
  });
  // The missing pid below reports a failed start; a reaper that somebody killed must not take the daemon with it.
  child.on("error", () => {});
  child.stdin.on("error", () => {});
  if (child.pid === undefined)
    throw new Error("Could not start /bin/sh, which ends agents when the daemon dies.");
  child.unref();
  // Typed as a plain stream, but the pipe of a child is a socket.
  (child.stdin as typeof child.stdin & { unref(): void }).unref();
  const exited = once(child, "exit");

  const tell = (sign: "+" | "-", pid: number) => {
    if (!Number.isSafeInteger(pid) || pid <= 1)
      throw new RangeError(`${pid} is no process group of an agent.`);
    if (child.stdin.writable) child.stdin.write(`${sign}${pid}\n`);
  };

  return {
    watch: (pid) => tell("+", pid),
    forget: (pid) => tell("-", pid),
    async stop() {
      child.ref();
      child.stdin.end();
      await exited;
    },
  };
}
