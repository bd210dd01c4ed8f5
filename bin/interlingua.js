#!/usr/bin/env node
/**
 * Finds a Node that can run Interlingua and starts the command line with it. Plain JavaScript, so that an old Node
 * can read it; what the command line does belongs into src/cli.
 */
// node:child_process is loaded where it is needed: it takes longer than everything else here.
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
// Not by name: an old Node lacks some of it, and must be able to read this file.
import * as nodeModule from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const OLDEST_NODE = 24;

/**
 * For the daemon. Most of what it makes is garbage a moment later, and is collected best while the processor still has it
 * at hand. Less room than this, and what many busy sessions have waiting for a commit no longer fits.
 */
const YOUNG_SPACE = "--max-semi-space-size=16";

/** For the daemon as well: SIGUSR1 would open an inspector, by which every program here could run code in it. */
const NO_INSPECTOR = "--disable-sigusr1";

if (majorVersion(process.version) < OLDEST_NODE) await replaceWith(await findBundledNode());
else if (missingOptions().length > 0 && process.execve && !process.channel)
  await replaceWith(process.execPath);
else await run();

/** Where somebody has decided about one of them, that holds. */
function missingOptions() {
  if (process.argv[2] !== "serve") return [];
  const given = [...process.execArgv, process.env.NODE_OPTIONS].join(" ");
  return [
    ...(/semi[-_]space/.test(given) ? [] : [YOUNG_SPACE]),
    ...(/disable-sigusr1|--inspect/.test(given) ? [] : [NO_INSPECTOR]),
  ];
}

async function run() {
  silenceExperimentalWarnings();
  endWithLauncher();
  keepCompiledCode();
  const { main } = await import(findMain().href);
  process.exitCode = await main(process.argv.slice(2));
}

/** What was built, which starts much faster; the sources where they were changed since, or nothing was built. */
function findMain() {
  const built = new URL("../dist/cli/main.js", import.meta.url);
  const source = new URL("../src/cli/main.ts", import.meta.url);
  // A published package holds no sources: Node does not strip types under node_modules.
  if (!existsSync(source)) return built;
  const builtAt = statSync(built, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return isOlder(fileURLToPath(new URL("../src", import.meta.url)), builtAt) ? built : source;
}

/** A folder changes when something in it is added or removed. Tests are not part of what is built. */
function isOlder(folder, time) {
  if (statSync(folder).mtimeMs >= time) return false;
  return readdirSync(folder, { withFileTypes: true }).every((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return isOlder(path, time);
    return entry.name.endsWith(".test.ts") || statSync(path).mtimeMs < time;
  });
}

/** Early releases of Node 24 announce type stripping and SQLite as experimental at every start. */
function silenceExperimentalWarnings() {
  process.removeAllListeners("warning");
  process.on("warning", (warning) => {
    if (warning.name !== "ExperimentalWarning") process.stderr.write(`${warning.name}: ${warning.message}\n`);
  });
}

/**
 * The second start takes half the time and a sixth less memory. In the user's own directory: Node's default lies where
 * others may write, and what is in there is run.
 */
function keepCompiledCode() {
  if (process.env.NODE_COMPILE_CACHE) return;
  try {
    const caches = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
    const own = join(caches, "interlingua");
    // One after the other: making them all at once never returns where nothing can be made, as in /proc.
    for (const directory of [caches, own]) if (!existsSync(directory)) mkdirSync(directory, { mode: 0o700 });
    nodeModule.enableCompileCache(join(own, "compiled"));
  } catch {
    // Without a home, or with one that cannot be written, every start compiles.
  }
}

/** Where an older Node had to start us as its child, nobody could end us any more once that one is killed. */
function endWithLauncher() {
  if (!process.channel) return;
  process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
  process.channel.unref();
}

/** The Node that comes as an optional dependency; undefined when it is missing or does not run on this machine. */
async function findBundledNode() {
  let node;
  try {
    node = nodeModule
      .createRequire(import.meta.url)
      .resolve(`node-${process.platform}-${process.arch}/bin/node`);
  } catch {
    return undefined;
  }
  const { spawnSync } = await import("node:child_process");
  const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
  return stdout && majorVersion(stdout) >= OLDEST_NODE ? node : undefined;
}

async function replaceWith(node) {
  if (!node) {
    const remedy = "Install it from https://nodejs.org, or on Linux run npm install without --omit=optional.";
    process.stderr.write(
      `interlingua: needs Node ${OLDEST_NODE}, and this is ${process.version}. ${remedy}\n`,
    );
    process.exit(1);
  }
  const args = [
    ...process.execArgv,
    ...missingOptions(),
    fileURLToPath(import.meta.url),
    ...process.argv.slice(2),
  ];
  // Since 22.15 Node can become another program; before, it stays as the parent and passes everything on.
  if (process.execve) process.execve(node, [node, ...args], process.env);
  const { spawn } = await import("node:child_process");
  const child = spawn(node, args, { stdio: ["inherit", "inherit", "inherit", "ipc"] });
  const signals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    process.stderr.write(`interlingua: could not start ${node}: ${error.message}\n`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => {
    if (!signal) process.exit(code ?? 1);
    // Whoever waits for us is to see how the child ended.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** 24 for `v24.1.0`. */
function majorVersion(version) {
  return Number.parseInt(version.slice(1), 10);
}
