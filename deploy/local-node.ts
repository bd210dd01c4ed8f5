/** One node of a local cluster: a process that can be killed and started again, with a log in a file. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

export interface LocalNodeOptions {
  name: string;
  flags: readonly string[];
  /** With its secrets: these are in no argument and no file. */
  environment: Readonly<Record<string, string>>;
  /** What it logs is added to it. */
  logFile: string;
  /** Called when it has ended by itself or by somebody else. */
  onEnded?(node: LocalNode, how: string): void;
}

const PROGRAM = resolve(import.meta.dirname, "../bin/interlingua.js");

export class LocalNode {
  readonly #options: LocalNodeOptions;
  #process: ChildProcess | undefined;
  #url: string | undefined;
  #isToEnd = false;

  constructor(options: LocalNodeOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.name;
  }

  get logFile(): string {
    return this.#options.logFile;
  }

  /** Where it listens; another one after each start. Undefined before the first. */
  get url(): string | undefined {
    return this.#url;
  }

  /** The last one. */
  get process(): ChildProcess {
    return this.#process!;
  }

  get hasEnded(): boolean {
    const child = this.#process;
    return child !== undefined && (child.exitCode !== null || child.signalCode !== null);
  }

  /** What it has logged. */
  log(): string {
    return readFileSync(this.logFile, "utf8");
  }

  /** Resolves when it listens. Rejects with what it says of why it does not. */
  async start(): Promise<void> {
    const { name, flags, environment, logFile, onEnded } = this.#options;
    const log = openSync(logFile, "a", 0o600);
    const before = this.log().length;
    const child = spawn(process.execPath, [PROGRAM, "serve", ...flags], {
      env: { ...process.env, ...environment },
      stdio: ["ignore", "pipe", log],
    });
    closeSync(log);
    this.#process = child;
    let printed = "";
    const { promise: listening, resolve, reject } = Promise.withResolvers<void>();
    child.stdout!.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
      if (printed.includes("\n")) resolve();
    });
    child.once("error", reject);
    child.once("exit", () =>
      reject(new Error(reasonIn(this.log().slice(before)) ?? `${name} did not start. ${logFile} says why.`)),
    );
    await listening;
    this.#url = printed.split("/#token=")[0]!;
    child.once("exit", (code, signal) => {
      if (!this.#isToEnd) onEnded?.(this, signal ?? `exit code ${code}`);
    });
  }

  /** As Ctrl-C does. */
  async end(): Promise<void> {
    this.#isToEnd = true;
    if (this.#process === undefined || this.hasEnded) return;
    const ended = once(this.#process, "exit");
    this.#process.kill("SIGINT");
    await ended;
  }
}

/** The line with which a command ends that has failed. */
function reasonIn(log: string): string | undefined {
  return log
    .split("\n")
    .findLast((line) => line.startsWith("interlingua: "))
    ?.slice("interlingua: ".length);
}
