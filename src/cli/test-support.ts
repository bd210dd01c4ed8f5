/** What the tests of the command line share: running it for real, as a person would. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { eventually } from "../testkit/eventually.ts";

const BIN = resolve(import.meta.dirname, "../../bin/interlingua.js");

/** How the command line is called. */
export const COMMAND_LINE = [process.execPath, BIN];

const { PATH = "", NODE_COMPILE_CACHE = "" } = process.env;
/** Nothing of the developer's own settings. */
export const SURROUNDINGS = {
  PATH,
  NODE_COMPILE_CACHE,
  HOME: "/nonexistent",
  // Tests that are about checkpoints switch them on.
  INTERLINGUA_CHECKPOINTS: "off",
};

export interface RunOptions {
  environment?: Record<string, string>;
  cwd?: string;
  /** The Node to start it with; this one when absent. */
  node?: string;
  /** What it reads from a pipe as its stdin; nothing when absent. */
  input?: string;
}

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A started command: what it has printed so far, and how it ends. */
export interface Running {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<Outcome>;
}

export function start(args: readonly string[], options: RunOptions = {}): Running {
  const child = spawn(options.node ?? process.execPath, [BIN, ...args], {
    cwd: options.cwd,
    env: { ...SURROUNDINGS, ...options.environment },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.end(options.input);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, stdout, stderr }));
  return { child, stdout: () => stdout, stderr: () => stderr, ended };
}

export function run(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  return start(args, options).ended;
}

export interface Served extends Running {
  readonly link: string;
  readonly url: string;
  readonly token: string;
}

/** Resolves once the link is printed. */
export async function serve(args: readonly string[], options: RunOptions = {}): Promise<Served> {
  const running = start(["serve", "--port", "0", ...args], options);
  await eventually("the link", () => running.stdout().includes("\n") || hasExited(running));
  const [link = ""] = running.stdout().split("\n");
  const [url, token] = link.split("/#token=");
  if (!url || !token) throw new Error(`serve did not start: ${running.stderr()}`);
  return { ...running, link, url, token };
}

function hasExited({ child }: Running): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

export async function stop({ child, ended }: Running): Promise<Outcome> {
  child.kill("SIGTERM");
  return ended;
}

/** Throws what the daemon says where it refuses. */
export async function post({ url, token }: Served, path: string, body: object): Promise<Response> {
  const response = await fetch(`${url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return response;
}

/** A Node on this machine that is too old for us; undefined where there is none. */
export function findOldNode(): string | undefined {
  const candidates = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "node"));
  return candidates.find((node) => {
    if (!existsSync(node)) return false;
    const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
    return Number.parseInt(stdout.slice(1), 10) < 24;
  });
}
