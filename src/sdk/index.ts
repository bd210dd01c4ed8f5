/** `interlingua/sdk`: the client library. Depends on nothing; typed by the daemon's own route table. */
import { type AgentService, type AgentType, createService } from "./agent-service.ts";
import { Client, connect } from "./client.ts";
import { InterlinguaError } from "./error.ts";
import type { ConnectOptions, HttpClient } from "./http.ts";
import { type RedeemOptions, redeem } from "./redeem.ts";
import { type OwnDaemon, type StartOptions, startOwnDaemon } from "./start-daemon.ts";
import type { UIMessageChunk } from "./types.ts";

export * from "./exports.ts";
export type { SpawnOptions, StartOptions } from "./start-daemon.ts";

/**
 * A connection to a daemon.
 *
 * @example
 * await using interlingua = await Interlingua.start({ root: "." });
 * const session = await interlingua.sessions.create({ agent: "claude" });
 * console.log(await session.prompt("What does this project do?").text());
 */
export class Interlingua extends Client implements AsyncDisposable {
  readonly #http: HttpClient;
  readonly #daemon: OwnDaemon | undefined;

  private constructor(http: HttpClient, daemon?: OwnDaemon) {
    super(http);
    this.#http = http;
    this.#daemon = daemon;
  }

  /** To a daemon that runs. Finds out whether it is there and takes the token, and rejects where not. */
  static async connect(options: ConnectOptions): Promise<Interlingua> {
    return new Interlingua(await connect(options));
  }

  /**
   * Exchanges the code of an invitation for a token, once, and connects with it. `me()` tells which session it is for.
   *
   * @example
   * const client = await Interlingua.redeem({ baseUrl: link, name: "Anna" });
   * const [session] = (await client.me()).sessions ?? [];
   */
  static async redeem(options: RedeemOptions): Promise<Interlingua> {
    const { token } = await redeem(options);
    return Interlingua.connect({ baseUrl: options.baseUrl, token, fetch: options.fetch });
  }

  /** Starts a daemon of its own, which ends with `dispose` and with this process; `spawn: false` takes a running one. */
  static async start(options: StartOptions = {}): Promise<Interlingua> {
    const daemon = await startOwnDaemon(options);
    return new Interlingua(await connect(daemon), daemon);
  }

  /** Ends the daemon that `start` started; others go on. What still follows a stream rejects. */
  async dispose(): Promise<void> {
    this.#http.close();
    await this.#daemon?.dispose();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }
}

/**
 * An agent behind one call. Without a `client` it takes the daemon that runs on the data directory (`INTERLINGUA_DATA`, then
 * the default one); where none does, or none any more, one is started that lets agents work in the directory of the first call and ends with this process.
 *
 * @example
 * const service = createAgentService("claude-code");
 * for await (const event of service.invoke("Fix the failing test", process.cwd())) {
 *   if (event.type === "chunk") console.log(event.chunk);
 * }
 */
export function createAgentService<Chunk extends { type: string } = UIMessageChunk>(
  type: AgentType,
  { client }: { readonly client?: Client | Promise<Client> } = {},
): AgentService<Chunk> {
  return createService(type, (cwd) => client ?? sharedClient(cwd));
}

let shared: Promise<Client> | undefined;

/** One for all services of this process, for as long as its daemon answers. */
async function sharedClient(cwd: string): Promise<Client> {
  const known = shared;
  if (known && (await isUsable(known))) return known;
  // Another call may have been first.
  if (shared === known) shared = connectOrStart(cwd);
  return shared!;
}

async function connectOrStart(cwd: string): Promise<Client> {
  try {
    return await Interlingua.start({ spawn: false });
  } catch (error) {
    if (!InterlinguaError.is(error, "unreachable")) throw error;
    return Interlingua.start({ root: cwd });
  }
}

/** Not when its daemon ended; the one that was started again may have another address or token. */
async function isUsable(known: Promise<Client>): Promise<boolean> {
  const client = await known.catch(() => undefined);
  if (!client) return false;
  try {
    await client.agents.default();
    return true;
  } catch (error) {
    return !InterlinguaError.is(error, "unreachable") && !InterlinguaError.is(error, "unauthorized");
  }
}
