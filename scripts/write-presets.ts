// Writes the lock of every preset in src/install/presets, or of those that are named, for the version its
// package.json pins, and the sizes in its preset.json. To know them it installs the preset once for each platform
// into a temporary folder, which also shows that each platform has its program and that the integrity is right.
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { searchPath } from "../src/core/search-path.ts";
import { findOnPath, isExecutable } from "../src/install/find-on-path.ts";
import { installedSize } from "../src/install/installed-size.ts";
import {
  isForPlatforms,
  PRESETS_DIRECTORY,
  type PresetPrograms,
  readPresetPackages,
  readPresetPrograms,
} from "../src/install/preset-folder.ts";
import { runNpm } from "../src/install/run-npm.ts";
import { createProcessHost } from "../src/process/local-process-host.ts";
import type { ProcessHost } from "../src/process/process-host.ts";

const LOCK_ARGUMENTS = ["install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund"];

const PLATFORMS = [
  ...["darwin-arm64", "darwin-x64"],
  ...["linux-arm64", "linux-arm64-musl", "linux-x64", "linux-x64-musl"],
];

const npm = await findOnPath("npm", searchPath(process.env));
if (npm === undefined) throw new Error("npm was not found on the PATH.");
const processHost = createProcessHost({ daemonId: randomUUID(), environment: process.env });
try {
  const named = process.argv.slice(2);
  for (const agent of named.length > 0 ? named : readdirSync(PRESETS_DIRECTORY)) {
    await writePreset(join(PRESETS_DIRECTORY, agent), npm, processHost);
  }
} finally {
  await processHost.close();
}

async function writePreset(folder: string, npm: string, processHost: ProcessHost): Promise<void> {
  // Without addresses: whoever installs it takes it from the registry they have configured.
  execFileSync(npm, [...LOCK_ARGUMENTS, "--omit-lockfile-registry-resolved"], {
    cwd: folder,
    stdio: "inherit",
  });
  leaveOutUnavailable(join(folder, "package-lock.json"));
  const { lock } = await readPresetPackages(folder);
  assertIntegrity(lock.packages);
  const known = await readPresetPrograms(folder);
  const programs: Record<string, { file: string; bytes: number }> = {};
  for (const [platform, { file }] of Object.entries(isForPlatforms(lock) ? byPlatform(known) : known)) {
    const bytes = await measure(folder, { platform, file }, npm, processHost);
    console.log(`${folder}: ${platform}, ${bytes} bytes`);
    programs[platform] = { file, bytes };
  }
  writeFileSync(join(folder, "preset.json"), `${JSON.stringify({ programs }, null, 2)}\n`);
}

/** An optional package the registry does not have has no integrity, and npm refuses a lock that only names it. */
function leaveOutUnavailable(file: string): void {
  const lock = JSON.parse(readFileSync(file, "utf8"));
  for (const [path, entry] of Object.entries<{ optionalDependencies?: Record<string, string> }>(
    lock.packages,
  )) {
    for (const name of Object.keys(entry.optionalDependencies ?? {})) {
      const isThere = [`${path}/node_modules/${name}`, `node_modules/${name}`].some(
        (key) => key in lock.packages,
      );
      if (!isThere) delete entry.optionalDependencies?.[name];
    }
  }
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
}

/** A script that brings packages for some platforms only has another size on each. */
function byPlatform({ any, ...programs }: PresetPrograms): PresetPrograms {
  if (!any) return programs;
  return { ...Object.fromEntries(PLATFORMS.map((platform) => [platform, any])), ...programs };
}

function assertIntegrity(packages: Readonly<Record<string, { integrity?: unknown }>>): void {
  const unchecked = Object.entries(packages).filter(([name, entry]) => name !== "" && !entry.integrity);
  if (unchecked.length === 0) return;
  throw new Error(`The registry gave no integrity for ${unchecked.map(([name]) => name).join(", ")}.`);
}

async function measure(
  folder: string,
  { platform, file }: { platform: string; file: string },
  npm: string,
  processHost: ProcessHost,
): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), "interlingua-preset-"));
  try {
    for (const file of ["package.json", "package-lock.json"])
      cpSync(join(folder, file), join(directory, file));
    const { signal } = new AbortController();
    await runNpm({ npm, directory, processHost, signal, args: platformArguments(platform) });
    if (!(await isExecutable(join(directory, file)))) {
      throw new Error(`${file} is not an executable file on ${platform}.`);
    }
    return await installedSize(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** `linux-x64-musl` → `--os=linux --cpu=x64 --libc=musl` */
function platformArguments(platform: string): string[] {
  if (platform === "any") return [];
  const [os, cpu, libc = "glibc"] = platform.split("-");
  return [`--os=${os}`, `--cpu=${cpu}`, ...(os === "linux" ? [`--libc=${libc}`] : [])];
}
