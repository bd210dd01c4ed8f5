/** A real daemon in a process of its own, to be killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DaemonClient, dataLines } from "../daemon-client.ts";

const ROOT = resolve(import.meta.dirname, "../..");

export class DaemonProcess extends DaemonClient {
  readonly #child: ChildProcess;
  readonly #errors: () => string;

  private constructor(child: ChildProcess, link: string, errors: () => string) {
    const [url, token] = link.split("/#token=") as [string, string];
    super({ url, token });
    this.#child = child;
    this.#errors = errors;
  }

  /** Starts the command line's `serve`, or a script of the tests with the same arguments. */
  static async start(
    data: string,
    options: {
      script?: string;
      environment?: Record<string, string>;
      root?: string;
      /** What the shell's `ulimit` gets: `-n 64`. */
      ulimit?: string;
    } = {},
  ): Promise<DaemonProcess> {
    const { script = join(ROOT, "bin/interlingua.js"), root = data, ulimit } = options;
    const serve = [process.execPath, script, "serve", "--port", "0", "--data", data, "--root", root];
    const limited = ["sh", "-c", `ulimit ${ulimit} && exec "$@"`, "sh", ...serve];
    const [command, ...args] = (ulimit === undefined ? serve : limited) as [string, ...string[]];
    const child = spawn(command, args, {
      stdio: ["ignore", "pipe", "pipe"],
      cwd: data,
      env: { ...process.env, INTERLINGUA_LOG_LEVEL: "warn", ...options.environment },
    });
    let errors = "";
    child.stderr?.on("data", (chunk) => {
      errors += chunk;
    });
    const link = await new Promise<string>((done, fail) => {
      let output = "";
      child.stdout?.on("data", (chunk) => {
        output += chunk;
        if (output.includes("\n")) done(output.trim());
      });
      child.once("exit", (code) => fail(new Error(`the daemon exited with ${code}: ${errors}`)));
    });
    return new DaemonProcess(child, link, () => errors);
  }

  /** What it wrote to stderr. */
  get errors(): string {
    return this.#errors();
  }

  /** Whether it still runs, and its last words, for the message of a failed test. */
  get fate(): string {
    const { exitCode, signalCode } = this.#child;
    const state = exitCode ?? signalCode ?? "running";
    return `the daemon (${state}) said last: ${this.errors.slice(-3000)}`;
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** Resolves when the process is gone. */
  get gone(): Promise<void> {
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== null || signalCode !== null) return Promise.resolve();
    return new Promise((done) => this.#child.once("exit", () => done()));
  }

  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    const gone = this.gone;
    this.#child.kill(signal);
    await gone;
  }
}

/** A client that notes every whole event it was given, until its connection breaks. */
export class RecordingClient {
  readonly lines: string[] = [];
  readonly finished: Promise<void>;

  constructor(daemon: DaemonProcess, session: string, after = 0) {
    this.finished = this.#read(daemon, session, after).catch(() => {});
  }

  async #read(daemon: DaemonProcess, session: string, after: number): Promise<void> {
    const response = await daemon.request("GET", `/v1/sessions/${session}/events/sse?after=${after}`);
    for await (const line of dataLines(response)) this.lines.push(line);
  }
}

export async function temporaryDirectory(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), "interlingua-crash-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
