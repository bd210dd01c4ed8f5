/** Our daemon with the fast agent as an ACP agent of its config file; every commit durable, as always. */
import { type ChildProcess, spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Gateway, GatewaySession } from "./gateway.ts";
import { HttpClient } from "./http-client.ts";
import { agentCommand } from "./launcher.ts";

const OWN_CHECKOUT = resolve(import.meta.dirname, "../..");

export class InterlinguaGateway implements Gateway {
  readonly name = "interlingua";
  readonly client: HttpClient;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, link: string) {
    const [url, token] = link.split("/#token=") as [string, string];
    this.#child = child;
    this.client = new HttpClient(url, token);
  }

  /** The daemon of this checkout or of another one. */
  static async start(directory: string, checkout = OWN_CHECKOUT): Promise<InterlinguaGateway> {
    const config = join(directory, "config.json");
    const agents = { fast: { protocol: "acp", command: agentCommand() } };
    await writeFile(config, JSON.stringify({ agents }));
    const args = ["serve", "--port", "0", "--data", join(directory, "data"), "--root", directory];
    const child = spawn(
      process.execPath,
      [join(checkout, "bin/interlingua.js"), ...args, "--config", config],
      {
        cwd: directory,
        env: { ...process.env, INTERLINGUA_LOG_LEVEL: "error" },
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    const link = await new Promise<string>((done, fail) => {
      child.stdout?.once("data", (line) => done(String(line).trim()));
      child.once("exit", (code) => fail(new Error(`the daemon exited with ${code}`)));
    });
    return new InterlinguaGateway(child, link);
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  async createSession(): Promise<GatewaySession> {
    const id = await this.createIdleSession();
    return this.openSession(id);
  }

  /** Without an agent: it starts with the first prompt. */
  async createIdleSession(): Promise<string> {
    const { id } = (await this.client.post("/v1/sessions", { agent: "fast" })) as { id: string };
    return id;
  }

  /** A session there is, with its agent running. */
  async openSession(id: string): Promise<GatewaySession> {
    await this.client.post(`/v1/sessions/${id}/messages`, { text: "burst 1" });
    const path = `/v1/sessions/${id}`;
    const head = await this.#untilIdle(path);
    return {
      stream: {
        url: this.client.url,
        path: `${path}/events/sse?after=${head}`,
        token: this.client.token,
        end: '"type":"turn.ended"',
      },
      prompt: async (text) => {
        await this.client.post(`${path}/messages`, { text });
      },
      allow: (streamText) => {
        const asked = /"type":"ask\.opened".*?"ask":"(\w+)"/.exec(streamText);
        return asked ? this.client.send(`${path}/asks/${asked[1]}/reply`, { reply: "once" }) : undefined;
      },
    };
  }

  /** Gives the seq of the newest event. */
  async #untilIdle(path: string): Promise<number> {
    for (;;) {
      const { status, head } = (await this.client.get(path)) as { status: string; head: number };
      if (status === "idle") return head;
      await sleep(5);
    }
  }

  /** How many commits it has made. */
  async commits(): Promise<number> {
    return Number(/^interlingua_commits_total (.+)$/m.exec(await this.client.text("/metrics"))?.[1]);
  }

  /** Resolves when the process is gone. */
  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== null || signalCode !== null) return;
    const gone = new Promise((done) => this.#child.once("exit", done));
    this.#child.kill(signal);
    await gone;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill("SIGTERM");
  }
}
