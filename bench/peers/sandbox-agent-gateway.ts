/** Rivet's sandbox-agent with the fast agent in the place of its mock. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import type { Gateway, GatewaySession } from "./gateway.ts";
import { HttpClient } from "./http-client.ts";
import { idleLauncher, launcher } from "./launcher.ts";

/**
 * On two cores it is about twice as fast with one worker as with the two it takes by itself, and needs half the processor
 * time: its allocator has one lock, and two workers wait for each other.
 */
const WORKERS = "1";

export class SandboxAgentGateway implements Gateway {
  readonly name = "sandbox-agent";
  readonly #child: ChildProcess;
  readonly #client: HttpClient;
  readonly #agentFile: string;
  #script = "";
  #written: Promise<void> | undefined;
  #sessions = 0;

  private constructor(child: ChildProcess, agentFile: string, url: string) {
    this.#child = child;
    this.#agentFile = agentFile;
    this.#client = new HttpClient(url);
  }

  /** It keeps nothing, so the directory is only its home. */
  static async start(program: string, directory: string): Promise<SandboxAgentGateway> {
    const home = join(directory, "home");
    const agents = join(home, ".local/share/sandbox-agent/bin/agent_processes");
    await mkdir(agents, { recursive: true });
    const agentFile = join(agents, "mock-acp");
    const port = await freePort();
    const args = ["server", "--no-token", "--no-telemetry", "--port", String(port)];
    const env = { ...process.env, HOME: home, TOKIO_WORKER_THREADS: WORKERS };
    const child = spawn(program, args, { env, stdio: "ignore" });
    const gateway = new SandboxAgentGateway(child, agentFile, `http://127.0.0.1:${port}`);
    await gateway.#client.untilAnswers("/v1/health");
    return gateway;
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  /** It has no session without an agent. */
  async createIdleSession(): Promise<void> {
    await this.#startWith(idleLauncher());
    await this.#open();
  }

  async createSession(): Promise<GatewaySession> {
    await this.#startWith(launcher());
    const { path, sessionId, call } = await this.#open();
    return {
      stream: { url: this.#client.url, path, end: '"stopReason"' },
      prompt: async (text) => {
        await call("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
      },
      allow: (streamText) => {
        const asked = /"id":(\d+),"jsonrpc":"2\.0","method":"session\/request_permission"/.exec(streamText);
        if (!asked) return undefined;
        const result = { outcome: { outcome: "selected", optionId: "allow" } };
        return this.#client.send(path, { jsonrpc: "2.0", id: Number(asked[1]), result });
      },
    };
  }

  /** What its agents are from now on. Only written when it changes: a script that is being started is busy. */
  #startWith(script: string): Promise<void> | undefined {
    if (script === this.#script) return this.#written;
    this.#script = script;
    const fresh = `${this.#agentFile}.new`;
    this.#written = writeFile(fresh, script, { mode: 0o755 }).then(() => rename(fresh, this.#agentFile));
    return this.#written;
  }

  async #open() {
    this.#sessions += 1;
    const path = `/v1/acp/session-${this.#sessions}`;
    let id = 0;
    const call = async (method: string, params: object, query = ""): Promise<{ sessionId: string }> => {
      id += 1;
      const answer = await this.#client.post(`${path}${query}`, { jsonrpc: "2.0", id, method, params });
      return (answer as { result: { sessionId: string } }).result;
    };
    await call("initialize", { protocolVersion: 1, clientCapabilities: {} }, "?agent=mock");
    const { sessionId } = await call("session/new", { cwd: process.cwd(), mcpServers: [] });
    return { path, sessionId, call };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const gone = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill();
    await gone;
  }
}
