/** The ceiling: a Node gateway with no log at all, see bench/bare/acp-gateway.ts. */
import { BareServer } from "../harness/bare-server.ts";
import type { Gateway, GatewaySession } from "./gateway.ts";
import { HttpClient } from "./http-client.ts";
import { agentCommand } from "./launcher.ts";

export class BareGateway implements Gateway {
  readonly name = "bare";
  readonly #server: BareServer;
  readonly #client: HttpClient;

  private constructor(server: BareServer) {
    this.#server = server;
    this.#client = new HttpClient(server.url);
  }

  static async start(): Promise<BareGateway> {
    return new BareGateway(await BareServer.start("acp-gateway.ts", ...agentCommand()));
  }

  get pid(): number {
    return this.#server.pid;
  }

  async createSession(): Promise<GatewaySession> {
    const made = await this.#client.post("/sessions", {});
    const { id, sessionId } = made as { id: number; sessionId: string };
    const path = `/sessions/${id}`;
    let calls = 0;
    return {
      stream: { url: this.#client.url, path, end: '"stopReason"' },
      prompt: (text) => {
        calls += 1;
        const params = { sessionId, prompt: [{ type: "text", text }] };
        return this.#client.send(path, { jsonrpc: "2.0", id: calls, method: "session/prompt", params });
      },
      allow: (streamText) => {
        const asked = /"id":(\d+),"method":"session\/request_permission"/.exec(streamText);
        if (!asked) return undefined;
        const result = { outcome: { outcome: "selected", optionId: "allow" } };
        return this.#client.send(path, { jsonrpc: "2.0", id: Number(asked[1]), result });
      },
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#server[Symbol.asyncDispose]();
  }
}
