/** A real daemon in a process of its own, with a directory to work in; it can be killed and started again in its place. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const PROGRAM = resolve(import.meta.dirname, "../../bin/interlingua.js");

export class PageDaemon {
  #folder = "";
  #child: ChildProcess | undefined;
  /** With the token in its fragment, as the daemon printed it. */
  link = "";

  /** Once, before anything else. `config` is what stands in its config file. */
  async start(config: object = {}): Promise<void> {
    this.#folder = await mkdtemp(join(tmpdir(), "interlingua-browser-"));
    await mkdir(this.project, { recursive: true });
    await writeFile(join(this.project, "README.md"), "# Atlas\n\nMaps for people who walk.\n");
    await mkdir(join(this.#folder, "data"), { recursive: true, mode: 0o700 });
    await writeFile(join(this.#folder, "data", "config.json"), JSON.stringify(config));
    await this.restart();
  }

  /** Where sessions work. */
  get project(): string {
    return join(this.#folder, "atlas");
  }

  get origin(): string {
    return this.link.slice(0, this.link.indexOf("/#"));
  }

  get token(): string {
    return this.link.slice(this.link.indexOf("=") + 1);
  }

  /** On the port it had before, so that open pages find it again. */
  async restart(): Promise<void> {
    const port = this.link === "" ? "0" : new URL(this.link).port;
    const child = spawn(
      process.execPath,
      [PROGRAM, "serve", "--port", port, "--data", join(this.#folder, "data"), "--root", this.project],
      {
        cwd: this.project,
        stdio: ["ignore", "pipe", "pipe"],
        env: { ...process.env, INTERLINGUA_LOG_LEVEL: "warn" },
      },
    );
    this.#child = child;
    let errors = "";
    child.stderr?.on("data", (chunk) => {
      errors += chunk;
    });
    this.link = await new Promise<string>((done, fail) => {
      let output = "";
      child.stdout?.on("data", (chunk) => {
        output += chunk;
        if (output.includes("\n")) done(output.trim());
      });
      child.once("exit", (code) => fail(new Error(`the daemon exited with ${code}: ${errors}`)));
    });
  }

  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((done) => child.once("exit", done));
    child.kill(signal);
    await gone;
  }

  async close(): Promise<void> {
    await this.kill("SIGTERM");
    await rm(this.#folder, { recursive: true, force: true });
  }

  async call<Result>(method: string, path: string, body?: unknown): Promise<Result> {
    const response = await fetch(`${this.origin}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (response.status === 204 ? undefined : await response.json()) as Result;
  }

  /** What a stream tells first. */
  async firstFrame(path: string): Promise<unknown> {
    const headers = { authorization: `Bearer ${this.token}` };
    const response = await fetch(`${this.origin}${path}`, { headers });
    let text = "";
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const frame = /^data: (.*)\n\n/m.exec(text);
      if (frame) return JSON.parse(frame[1]!);
    }
    throw new Error(`${path} ended without a frame`);
  }

  async createSession(id: string, more: object = {}): Promise<string> {
    await this.call("POST", "/v1/sessions", { id, agent: "mock", ...more });
    return id;
  }

  prompt(session: string, text: string): Promise<{ message: string }> {
    return this.call("POST", `/v1/sessions/${session}/messages`, { text });
  }

  /** Resolves when the session has one of these states. */
  async until(session: string, ...statuses: string[]): Promise<void> {
    while (true) {
      const { status } = await this.call<{ status: string }>("GET", `/v1/sessions/${session}`);
      if (statuses.includes(status)) return;
      await sleep(25);
    }
  }
}
