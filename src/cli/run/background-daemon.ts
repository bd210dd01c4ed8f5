/** Where no daemon runs, one is started in the background. It ends when nothing has used it for a while. */
import { spawn } from "node:child_process";
import { closeSync, constants, fstatSync, ftruncateSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { resolveConfig } from "../../config/resolve-config.ts";
import { PACKAGE_ROOT } from "../../package-root.ts";
import {
  handOverSecrets,
  nodeOptions,
  readingSecrets,
  splitSecrets,
} from "../../process/hand-over-secrets.ts";
import { type DaemonAddress, DaemonStartingError, daemonOn, NoDaemonError } from "../find-daemon.ts";

const START_MS = 15_000;
const LOOK_MS = 50;
const UNUSED_MS = 10 * 60_000;
/** A larger log is begun anew with the next daemon. */
const MAX_LOG_BYTES = 1024 * 1024;

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;

/** @param root Where its agents may work, beside what the config says. */
export async function startInBackground(
  data: string,
  root: string,
  environment: NodeJS.ProcessEnv,
): Promise<DaemonAddress> {
  const program = join(PACKAGE_ROOT, "bin/interlingua.js");
  const log = openLog(data);
  const roots = rootsWith(root, data, environment).flatMap((directory) => ["--root", directory]);
  const { environment: forAll, secrets } = splitSecrets(environment);
  const args = [...nodeOptions(environment), program, "serve", "--port", "0", "--data", data, ...roots];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: {
      INTERLINGUA_STOP_WHEN_UNUSED_MS: String(UNUSED_MS),
      INTERLINGUA_CAN_ADD_ROOTS: "1",
      ...readingSecrets(forAll),
    },
    // In a group of its own: Ctrl-C here is not meant for it.
    detached: true,
    stdio: ["ignore", "ignore", log.fd, "pipe"],
  });
  handOverSecrets(child, secrets);
  closeSync(log.fd);
  let failure: Error | undefined;
  child.once("error", (error) => {
    failure = error;
  });
  const deadline = Date.now() + START_MS;
  try {
    while (Date.now() < deadline) {
      const found = find(data, environment);
      if (found !== "none" && found !== "starting") return found;
      if (failure) throw new Error(`No daemon can be started in ${root}: ${failure.message}`);
      // Another command may have been faster: then its daemon is the one, and ours has ended.
      if (found === "none" && child.exitCode !== null) break;
      await sleep(LOOK_MS);
    }
  } finally {
    child.unref();
  }
  child.kill();
  const said = readFileSync(log.file).subarray(log.size).toString().slice(-2000).trim();
  throw new Error(`The daemon did not start. It said: ${said || "nothing"}`);
}

/** The flag would take the place of the roots that are configured. */
function rootsWith(root: string, data: string, environment: NodeJS.ProcessEnv): string[] {
  const { roots } = resolveConfig({ flags: { data }, environment, cwd: root });
  return [...new Set([root, ...roots])];
}

/** Where daemons in the background log, one after the other. A link in its place is refused, not followed. */
function openLog(data: string): { file: string; fd: number; size: number } {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const file = join(data, "background.log");
  const fd = openSync(file, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600);
  if (fstatSync(fd).size > MAX_LOG_BYTES) ftruncateSync(fd);
  return { file, fd, size: fstatSync(fd).size };
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
