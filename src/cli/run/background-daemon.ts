/** Where no daemon runs, one is started in the background. It ends when nothing has used it for a while. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { PACKAGE_ROOT } from "../../package-root.ts";
import { type DaemonAddress, DaemonStartingError, daemonOn, NoDaemonError } from "../find-daemon.ts";

const START_MS = 15_000;
const LOOK_MS = 50;
const UNUSED_MS = 10 * 60_000;

/** @param root Where its agents may work, beside what the config says. */
export async function startInBackground(
  data: string,
  root: string,
  environment: NodeJS.ProcessEnv,
): Promise<DaemonAddress> {
  const program = join(PACKAGE_ROOT, "bin/interlingua.js");
  const child = spawn(process.execPath, [program, "serve", "--port", "0", "--data", data, "--root", root], {
    cwd: root,
    env: { INTERLINGUA_STOP_WHEN_UNUSED_MS: String(UNUSED_MS), ...environment },
    // In a group of its own: Ctrl-C here is not meant for it.
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-2000);
  });
  const deadline = Date.now() + START_MS;
  try {
    while (Date.now() < deadline) {
      const found = find(data, environment);
      if (found !== "none" && found !== "starting") return found;
      // Another command may have been faster: then its daemon is the one, and ours has ended.
      if (found === "none" && child.exitCode !== null) break;
      await delay(LOOK_MS);
    }
  } finally {
    child.stderr.destroy();
    child.unref();
  }
  child.kill();
  throw new Error(`The daemon did not start. It said: ${said.trim() || "nothing"}`);
}

function find(data: string, environment: NodeJS.ProcessEnv): DaemonAddress | "none" | "starting" {
  try {
    return daemonOn(data, environment);
  } catch (error) {
    if (error instanceof DaemonStartingError) return "starting";
    if (error instanceof NoDaemonError) return "none";
    throw error;
  }
}
