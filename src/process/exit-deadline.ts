/**
 * The last deadline of a process: SIGKILL, sent from outside. Our own timer would need a running event loop, and
 * `process.exit` waits for threads that may hang in the kernel.
 */
import { spawn } from "node:child_process";
import { searchPath } from "../core/search-path.ts";

/**
 * A shell in its own group. Its input ends when we do, whatever the reason; then it kills its group, including the
 * timer in the background.
 */
const SCRIPT = `
trap '' HUP INT QUIT TERM
{ sleep "$1" && kill -s KILL "$2"; } &
read -r line
kill -s KILL -- "-$$"
`;

/** Kills this process unless it is gone by then. */
export function killSelfAfter(milliseconds: number): void {
  const { pid } = process;
  // Not every `sleep` knows fractions.
  const seconds = Math.ceil(milliseconds / 1000);
  const child = spawn("/bin/sh", ["-c", SCRIPT, "exit-deadline", String(seconds), String(pid)], {
    detached: true,
    env: { PATH: [searchPath(process.env), "/usr/bin:/bin"].filter(Boolean).join(":") },
    cwd: "/",
    stdio: ["pipe", "ignore", "ignore"],
  });
  // Without a shell there is still our own timer, as long as the event loop runs.
  child.on("error", () => setTimeout(() => process.kill(pid, "SIGKILL"), milliseconds).unref());
  if (child.pid === undefined) return;
  child.stdin.on("error", () => {});
  child.unref();
  (child.stdin as typeof child.stdin & { unref?(): void }).unref?.();
}

/** How long `process.exit` may take. */
const EXIT_MS = 2000;

export function exitWithDeadline(code: number): never {
  killSelfAfter(EXIT_MS);
  process.exit(code);
}
