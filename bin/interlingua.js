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
import { missingNodeOptions } from "./daemon-launch.js";
import {
  keepOwn,
  receiveSecrets,
  SECRETS_VARIABLE,
  takeSecrets,
  wipeInitialEnvironment,
  writeSecrets,
} from "./hide-secrets.js";

const OLDEST_NODE = 24;
const SOURCE = new URL("../src/cli/main.ts", import.meta.url);

if (majorVersion(process.version) < OLDEST_NODE) await replaceWith(await findBundledNode());
else if (missingOptions().length > 0 && canBecome()) await replaceWith(process.execPath);
else await run();

function missingOptions() {
  return isDaemon() ? missingNodeOptions([...process.execArgv, process.env.NODE_OPTIONS].join(" ")) : [];
}

async function run() {
  silenceExperimentalWarnings();
  const secrets = await hideSecrets();
  endWithLauncher();
  keepCompiledCode();
  const { main } = await import(findMain().href);
  process.exitCode = await main(process.argv.slice(2), secrets);
}

/** Returns the secrets that only Interlingua reads. They are in no environment of this process or of its children. */
async function hideSecrets() {
  const given = receive();
  const found = takeSecrets(process.env);
  // Always wipe: Node does not show variables whose names are no UTF-8.
  const isHidden = wipeInitialEnvironment() || Object.keys(found).length === 0;
  const secrets = { ...found, ...given };
  if (!isHidden && isDaemon() && canBecome()) await replaceWith(process.execPath, secrets);
  return keepOwn(secrets, process.env);
}

/** The secrets that were handed over, and those in our environment. */
function takeAll() {
  const given = receive();
  return { ...takeSecrets(process.env), ...given };
}

function receive() {
  return orExit(() => receiveSecrets(process.env), 2);
}

function orExit(action, code) {
  try {
    return action();
  } catch (error) {
    process.stderr.write(`interlingua: ${error.message}\n`);
    process.exit(code);
  }
}

function isDaemon() {
  return process.argv[2] === "serve";
}

/** Since 22.15 Node can become another program. Under a launcher it would lose the channel to it. */
function canBecome() {
  return process.execve && !process.channel;
}

/** What was built, which starts much faster; the sources where they were changed since, or nothing was built. */
function findMain() {
  const built = new URL("../dist/cli/main.js", import.meta.url);
  if (!isClone()) return built;
  const builtAt = statSync(built, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return isOlder(fileURLToPath(new URL("../src", import.meta.url)), builtAt) ? built : SOURCE;
}

/** A published package holds no sources: Node does not strip types under node_modules. */
function isClone() {
  return existsSync(SOURCE);
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

/** The Node that `npm ci` brings into a clone; undefined when it is missing or does not run on this machine. */
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

/** @param secrets Set when the memory of our environment cannot be overwritten: the other program's cannot be either. */
async function replaceWith(node, secrets) {
  if (!node) {
    const clone = isClone() ? ", or on Linux run npm ci in the clone without --omit=optional" : "";
    process.stderr.write(
      `interlingua: needs Node ${OLDEST_NODE} or newer, and this is ${process.version}. Install it from https://nodejs.org${clone}.\n`,
    );
    process.exit(1);
  }
  const args = [
    ...process.execArgv,
    ...missingOptions(),
    fileURLToPath(import.meta.url),
    ...process.argv.slice(2),
  ];
  if (process.execve) {
    prepareEnvironment(secrets);
    process.execve(node, [node, ...args], process.env);
  }
  // An older Node stays as the parent and passes everything on.
  const { spawn } = await import("node:child_process");
  const handedOver = takeAll();
  wipeInitialEnvironment();
  const child = spawn(node, args, {
    env: { ...process.env, [SECRETS_VARIABLE]: "4" },
    stdio: ["inherit", "inherit", "inherit", "ipc", "pipe"],
  });
  child.stdio[4].on("error", () => {});
  child.stdio[4].end(JSON.stringify(handedOver));
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

/**
 * Prepares `process.env` for the program that replaces this process. Node closes descriptors, so a pipe would not reach
 * that program. On Linux the secrets stay in the environment, which the program overwrites. Elsewhere they go into a file.
 */
function prepareEnvironment(unwipeable) {
  if (process.platform === "linux" && !unwipeable) {
    Object.assign(process.env, receive());
    return;
  }
  const secrets = unwipeable ?? takeAll();
  if (Object.keys(secrets).length > 0) process.env[SECRETS_VARIABLE] = orExit(() => writeSecrets(secrets), 1);
}

/** 24 for `v24.1.0`. */
function majorVersion(version) {
  return Number.parseInt(version.slice(1), 10);
}
