/** `interlingua/sdk` in browsers: everything but starting a daemon. */
import { type AgentService, type AgentType, createService } from "./agent-service.ts";
import { Client, connect } from "./client.ts";
import type { ConnectOptions } from "./http.ts";
import { type RedeemOptions, redeem } from "./redeem.ts";
import type { UIMessageChunk } from "./types.ts";

export * from "./exports.ts";

export class Interlingua extends Client {
  /** Finds out whether the daemon is there and takes the token, and rejects where not. */
  static async connect(options: ConnectOptions): Promise<Interlingua> {
    return new Interlingua(await connect(options));
  }

  /** Exchanges the code of an invitation for a token, once, and connects with it. `me()` tells which session it is for. */
  static async redeem(options: RedeemOptions): Promise<Interlingua> {
    const { token } = await redeem(options);
    return Interlingua.connect({ baseUrl: options.baseUrl, token, fetch: options.fetch });
  }
}

/**
 * @example
 * const service = createAgentService("claude-code", { client: await Interlingua.connect({ baseUrl, token }) });
 * for await (const event of service.invoke("Fix the failing test", "/home/me/project")) show(event);
 */
export function createAgentService<Chunk extends { type: string } = UIMessageChunk>(
  type: AgentType,
  { client }: { readonly client: Client | Promise<Client> },
): AgentService<Chunk> {
  return createService(type, () => client);
}
