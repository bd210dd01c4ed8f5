import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { isRunningSince } from "./running-since.ts";

test("a process is the one that somebody wrote about, unless it began later or is gone", async () => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  const pid = child.pid!;
  await once(child, "spawn");
  expect(isRunningSince(pid, Date.now())).toBe(true);
  // Somebody else had its pid an hour ago.
  expect(isRunningSince(pid, Date.now() - 3_600_000)).toBe(false);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(isRunningSince(pid, Date.now())).toBe(false);
});
