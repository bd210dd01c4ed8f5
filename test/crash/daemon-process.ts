/** A real daemon in a process of its own, to be killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");

export class DaemonProcess {
  readonly url: string;
  readonly token: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, link: string) {
    const [url, token] = link.split("/#token=");
    this.#child = child;
    this.url = url!;
    this.token = token!;
  }

  /** Starts the command line's `serve`, or a script of the tests with the same arguments. */
  static async start(
    data: string,
    options: { script?: string; environment?: Record<string, string>; root?: string } = {},
  ): Promise<DaemonProcess> {
    const { script = join(ROOT, "bin/interlingua.js"), root = data } = options;
    const child = spawn(process.execPath, [script, "serve", "--port", "0", "--data", data, "--root", root], {
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
    return new DaemonProcess(child, link);
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

  request(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  }

  async call<Result>(method: string, path: string, body?: unknown): Promise<Result> {
    const response = await this.request(method, path, body);
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Result;
  }

  prompt(
    session: string,
    text: string,
    id?: string,
  ): Promise<{ message: string; state: string; seq: number }> {
    return this.call("POST", `/v1/sessions/${session}/messages`, { text, ...(id && { id }) });
  }

  /** Every event's JSON exactly as stored. */
  async events(session: string): Promise<string[]> {
    const lines: string[] = [];
    const { head } = await this.call<{ head: number }>("GET", `/v1/sessions/${session}`);
    const reading = new AbortController();
    const response = await this.request(
      "GET",
      `/v1/sessions/${session}/events/sse`,
      undefined,
      reading.signal,
    );
    for await (const line of dataLines(response)) {
      lines.push(line);
      if (lines.length >= head) break;
    }
    reading.abort();
    return lines;
  }
}

/** The `data:` lines of an event stream, until it ends or breaks. */
export async function* dataLines(response: Response): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop()!;
    for (const line of lines) if (line.startsWith("data: ")) yield line.slice(6);
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
