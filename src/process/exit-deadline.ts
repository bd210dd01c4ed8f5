/**
 * The last deadline of a process that is to end: SIGKILL, sent from outside. A timer of our own would need an event loop
 * that turns, and `process.exit` waits for threads that may hang in the kernel.
 */
import { spawn } from "node:child_process";

/**
 * A shell in a group of its own. Its input ends when we do, however that happens; then it takes its group along, the
 * timer in the background included.
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
    env: { PATH: `${process.env.PATH ?? ""}:/usr/bin:/bin` },
    cwd: "/",
    stdio: ["pipe", "ignore", "ignore"],
  });
  // Without a shell there is still our own timer, for as long as the event loop turns.
  child.on("error", () => setTimeout(() => process.kill(pid, "SIGKILL"), milliseconds).unref());
  if (child.pid === undefined) return;
  child.stdin.on("error", () => {});
  child.unref();
  (child.stdin as typeof child.stdin & { unref?(): void }).unref?.();
}

/** How long `process.exit` may take. */
const EXIT_MS = 2000;

/** `process.exit`, but for certain. */
export function exitWithDeadline(code: number): never {
  killSelfAfter(EXIT_MS);
  process.exit(code);
}
