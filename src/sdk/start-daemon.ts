/** A daemon in a process of its own, for a program that needs one. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { dataDirectoryFrom, IN_MEMORY } from "../config/data-location.ts";
import { PACKAGE_ROOT } from "../package-root.ts";
import { handOverSecrets, nodeOptions, readingSecrets, splitSecrets } from "../process/hand-over-secrets.ts";
import { isRunning } from "../process/process-table.ts";
import { InterlinguaError } from "./error.ts";
import { HttpClient } from "./http.ts";
import { Backoff } from "./retry.ts";

export interface StartOptions {
  /** Where the daemon keeps its data: `INTERLINGUA_DATA` when left out, then the default directory. */
  readonly data?: string;
  /** Directories agents may work in; where this process runs when left out. */
  readonly root?: string | readonly string[];
  /** `false` connects to the daemon that runs on the data directory, and rejects where none does. */
  readonly spawn?: boolean | SpawnOptions;
}

export interface SpawnOptions {
  readonly host?: string;
  /** A free one when left out. */
  readonly port?: number;
  /** A random one when left out. It reaches the daemon through a pipe. */
  readonly token?: string;
  /** The program; when left out `INTERLINGUA_BIN`, then the one of this package, then `interlingua` in PATH. */
  readonly bin?: string;
  /** How long it may take to answer: 15 seconds. */
  readonly timeoutMs?: number;
  /** Where its log goes. */
  readonly log?: "inherit" | "silent" | ((line: string) => void);
}

export interface OwnDaemon {
  readonly baseUrl: string;
  readonly token: string;
  dispose(): Promise<void>;
}

const TIMEOUT_MS = 15_000;
/** The daemon gives its agents as long to end. */
const STOP_MS = 20_000;
/** How much of the log a failed start quotes. */
const MAX_LAST_WORDS = 2000;

export async function startOwnDaemon(options: StartOptions): Promise<OwnDaemon> {
  const { spawn: how = true } = options;
  if (how === false) return { ...findRunning(options.data), dispose: async () => {} };
  return spawnDaemon(options, how === true ? {} : how);
}

async function spawnDaemon(options: StartOptions, how: SpawnOptions): Promise<OwnDaemon> {
  const { host = "127.0.0.1", port = 0, token = randomBytes(24).toString("hex") } = how;
  const roots = [options.root ?? []].flat();
  const args = [
    ...["serve", "--host", host, "--port", String(port)],
    ...(options.data === undefined ? [] : ["--data", options.data]),
    ...roots.flatMap((root) => ["--root", root]),
  ];
  const [command, ...first] = findProgram(how.bin);
  const { environment, secrets } = splitSecrets(process.env);
  const child = spawn(command, [...first, ...args], {
    // An end of the first pipe tells it that we are gone, however we went.
    stdio: ["pipe", "pipe", "pipe", "pipe"],
    env: { ...readingSecrets(environment), INTERLINGUA_STOP_WITH_STDIN: "1" },
  });
  handOverSecrets(child, { ...secrets, INTERLINGUA_TOKEN: token });
  const output = new Output(child, how.log ?? "silent");
  const dispose = () => stop(child);
  try {
    const baseUrl = await withDeadline(output.link, how.timeoutMs ?? TIMEOUT_MS);
    await untilHealthy(new HttpClient({ baseUrl, token }), how.timeoutMs ?? TIMEOUT_MS);
    // It is ended with us; it does not keep us.
    child.unref();
    for (const pipe of [child.stdin, child.stdout, child.stderr])
      (pipe as { unref?(): void } | null)?.unref?.();
    return { baseUrl, token, dispose };
  } catch (error) {
    await dispose();
    const reason = error instanceof Error ? error.message : String(error);
    const taken = explainTaken(output.lastWords, options.data);
    const sentence = `The daemon did not start: ${taken ?? `${reason}${withoutFlags(output.lastWords)}`}`;
    throw new InterlinguaError("start_failed", sentence, { cause: error });
  }
}

/** The daemon names its flags. A program gave these options. */
const OPTIONS_BY_FLAG = { data: "data", root: "root", host: "spawn.host", port: "spawn.port" } as const;

function withoutFlags(lastWords: string): string {
  return lastWords.replace(
    /(?<![\w-])--(data|root|host|port)(?![\w-])/g,
    (_, flag: keyof typeof OPTIONS_BY_FLAG) => OPTIONS_BY_FLAG[flag],
  );
}

/** The daemon's own remedy is a command. A program has an option for it. */
function explainTaken(lastWords: string, data: string | undefined): string | undefined {
  const [, taken] =
    /interlingua: (.+ already uses the data directory .+)\. End it with /.exec(lastWords) ?? [];
  if (taken === undefined) return undefined;
  const same = data === undefined ? "" : `data: ${JSON.stringify(data)}, `;
  const remedy = hasToken(data)
    ? `Interlingua.start({ ${same}spawn: false })`
    : "Interlingua.connect({ baseUrl, token }) and the `client.token` of the program that started it";
  return `${taken}. Connect to it with ${remedy}, or give \`data\` another directory.`;
}

/** Whether `spawn: false` would find the token of the running daemon. A program that starts a daemon keeps its token to itself. */
function hasToken(data: string | undefined): boolean {
  try {
    return tokenOf(readDaemonFile(data)) !== undefined;
  } catch {
    return true;
  }
}

/** What the daemon prints: its link, then nothing; its log. */
class Output {
  readonly link: Promise<string>;
  #last = "";

  constructor(child: ChildProcess, log: NonNullable<SpawnOptions["log"]>) {
    createInterface({ input: child.stderr! }).on("line", (line) => {
      this.#last = `${this.#last}${line}\n`.slice(-MAX_LAST_WORDS);
      if (log === "inherit") process.stderr.write(`${line}\n`);
      else if (log !== "silent") log(line);
    });
    this.link = new Promise((done, fail) => {
      let text = "";
      child.stdout!.setEncoding("utf8").on("data", (more: string) => {
        text += more;
        const link = /^(\S+?)\/#token=\S*\n/.exec(text);
        if (link) done(link[1]!);
      });
      child.once("error", fail);
      child.once("exit", (code, signal) => fail(new Error(`it ended with ${signal ?? code}`)));
    });
    this.link.catch(() => {});
  }

  get lastWords(): string {
    const text = this.#last.trim();
    return text === "" ? "." : `. It said: ${text}`;
  }
}

async function untilHealthy(http: HttpClient, timeoutMs: number): Promise<void> {
  const signal = AbortSignal.timeout(timeoutMs);
  const backoff = new Backoff();
  while (true) {
    try {
      const { status, problem } = await http.call("GET /v1/health", {}, signal);
      if (status === "ok") return;
      throw new Error(`it is failing: ${problem}`);
    } catch (error) {
      if (signal.aborted) throw new Error(`it did not answer within ${timeoutMs} ms`, { cause: error });
      if (!InterlinguaError.is(error, "unreachable")) throw error;
      await backoff.pause(signal);
    }
  }
}

function withDeadline<Value>(promise: Promise<Value>, ms: number): Promise<Value> {
  let timer: NodeJS.Timeout;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not answer within ${ms} ms`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Idempotent: a second call waits for the same end. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.ref();
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
  await gone;
  clearTimeout(timer);
}

function findProgram(bin = process.env.INTERLINGUA_BIN): [string, ...string[]] {
  if (bin !== undefined && bin !== "") return runnable(bin);
  const own = join(PACKAGE_ROOT, "bin/interlingua.js");
  return existsSync(own) ? runnable(own) : ["interlingua"];
}

function runnable(program: string): [string, ...string[]] {
  return /\.[cm]?js$/.test(program) ? [process.execPath, ...nodeOptions(process.env), program] : [program];
}

interface DaemonFile {
  readonly pid?: number;
  readonly processStart?: string;
  readonly url?: string;
  readonly tokenFile?: string;
}

/**
 * The daemon on a data directory, by what it wrote there. That outlives a kill, and then somebody else may listen at its
 * address, who must not get the token.
 */
function findRunning(data = defaultDirectory()): { baseUrl: string; token: string } {
  const file = readDaemonFile(data);
  const { pid, processStart, url } = file;
  if (!url || !pid || !processStart) throw noDaemon(data);
  if (!isRunning({ pid, startTime: processStart })) throw noDaemon(data);
  const token = tokenOf(file);
  if (token) return { baseUrl: url, token };
  const sentence = "The daemon was started with a token of its own. Set INTERLINGUA_TOKEN to the same.";
  throw new InterlinguaError("unauthorized", sentence);
}

function defaultDirectory(): string {
  return dataDirectoryFrom(process.env, process.cwd());
}

function tokenOf({ tokenFile }: DaemonFile): string | undefined {
  const given = process.env.INTERLINGUA_TOKEN?.trim() || undefined;
  return given ?? (tokenFile && readFileSync(tokenFile, "utf8").trim());
}

function readDaemonFile(data = defaultDirectory()): DaemonFile {
  if (data === IN_MEMORY) throw noDaemon(data);
  try {
    return JSON.parse(readFileSync(join(data, "daemon.json"), "utf8")) as DaemonFile;
  } catch {
    throw noDaemon(data);
  }
}

function noDaemon(data: string): InterlinguaError {
  return new InterlinguaError("unreachable", `No daemon runs on ${data}. Start one with: interlingua serve`);
}
