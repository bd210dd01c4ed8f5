/**
 * Packages that only tests need. Their manifests lie under test/, each with a lock. The first test that asks installs
 * a manifest; it is kept by the checksum of its lock, so that nothing is fetched again until the lock changes.
 */
import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { searchPath } from "../src/core/search-path.ts";
import { findOnPath } from "../src/install/find-on-path.ts";
import { takeInstallationLock } from "../src/install/installation-lock.ts";
import { runNpm } from "../src/install/run-npm.ts";
import { createProcessHost } from "../src/process/local-process-host.ts";
import { cacheDirectory } from "./cache-directory.ts";

/** The folders under test/ that have such a manifest. */
export const LOCKED_MANIFESTS = ["acp-agents", "browser", "clients", "openapi-client", "postgres"] as const;

/** Node finds a package from where the file lies that imports it. */
const IMPORTER = "node_modules/import-package.js";
const IMPORTER_CODE = "export const importPackage = (name) => import(name);\n";

/**
 * The caller names the part of the module it uses as a type: versions differ where it does not matter to a test.
 *
 * @example
 * const { AbstractChat } = await importLocked<Sdk>("clients", "ai-v6");
 */
export async function importLocked<Module>(
  manifest: (typeof LOCKED_MANIFESTS)[number],
  name: string,
): Promise<Module> {
  const directory = await installLocked(join(import.meta.dirname, manifest));
  const { importPackage } = await import(pathToFileURL(join(directory, IMPORTER)).href);
  return importPackage(name);
}

export interface LockedInstallation {
  /** Where it is kept; the cache of all tests when absent. */
  readonly cache?: string;
  /** What npm gets; ours when absent. */
  readonly environment?: NodeJS.ProcessEnv;
}

/** Gives the folder with `node_modules`. Whoever asks meanwhile, in any process, waits for the same installation. */
export async function installLocked(
  folder: string,
  { cache = cacheDirectory(), environment = process.env }: LockedInstallation = {},
): Promise<string> {
  const lockFile = await readFile(join(folder, "package-lock.json"));
  const checksum = createHash("sha256").update(lockFile).digest("hex").slice(0, 16);
  const packages = join(cache, "packages");
  const target = join(packages, `${basename(folder)}-${checksum}`);
  if (existsSync(target)) return target;
  await mkdir(packages, { recursive: true });
  const lock = await takeInstallationLock(`${target}.lock`, new AbortController().signal);
  try {
    if (!existsSync(target)) await installAt(target, folder, environment);
  } catch (error) {
    throw new Error(`${folder} is not installed, which this test needs. ${(error as Error).message}`, {
      cause: error,
    });
  } finally {
    lock.release();
  }
  return target;
}

/** In its place only when it is complete. What a killed process left is removed first: we hold the lock. */
async function installAt(target: string, folder: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const staging = `${target}.unfinished`;
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging);
  for (const file of ["package.json", "package-lock.json"]) {
    await copyFile(join(folder, file), join(staging, file));
  }
  await runCleanInstall(staging, environment);
  await writeFile(join(staging, IMPORTER), IMPORTER_CODE);
  await rename(staging, target);
}

async function runCleanInstall(directory: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const npm = await findOnPath("npm", searchPath(environment));
  if (npm === undefined) throw new Error("npm was not found on the PATH. Install Node.js with npm.");
  const processHost = createProcessHost({ daemonId: randomUUID(), environment });
  try {
    // A version never changes, so what npm's own cache has of it is as good as the registry.
    const args = ["--prefer-offline", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000"];
    await runNpm({ npm, directory, processHost, signal: new AbortController().signal, args });
  } finally {
    await processHost.close();
  }
}
