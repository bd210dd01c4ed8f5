/** Rivet's sandbox-agent with the fast agent in the place of its mock. */
import { type ChildProcess, spawn } from "node:child_process";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import type { Gateway, GatewaySession } from "./gateway.ts";
import { HttpClient } from "./http-client.ts";
import { launcher } from "./launcher.ts";

export class SandboxAgentGateway implements Gateway {
  readonly name = "sandbox-agent";
  readonly #child: ChildProcess;
  readonly #client: HttpClient;
  #sessions = 0;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.#client = new HttpClient(url);
  }

  /** It keeps nothing, so the directory is only its home. */
  static async start(program: string, directory: string): Promise<SandboxAgentGateway> {
    const home = join(directory, "home");
    const agents = join(home, ".local/share/sandbox-agent/bin/agent_processes");
    await mkdir(agents, { recursive: true });
    await writeFile(join(agents, "mock-acp"), launcher());
    await chmod(join(agents, "mock-acp"), 0o755);
    const port = await freePort();
    const args = ["server", "--no-token", "--no-telemetry", "--port", String(port)];
    const child = spawn(program, args, { env: { ...process.env, HOME: home }, stdio: "ignore" });
    const gateway = new SandboxAgentGateway(child, `http://127.0.0.1:${port}`);
    await gateway.#client.untilAnswers("/v1/health");
    return gateway;
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  async createSession(): Promise<GatewaySession> {
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

  async [Symbol.asyncDispose](): Promise<void> {
    const gone = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill();
    await gone;
  }
}
