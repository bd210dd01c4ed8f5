/** `interlingua/sdk`: the client library. Depends on nothing; typed by the daemon's own route table. */
import { Client, connect } from "./client.ts";
import type { ConnectOptions, HttpClient } from "./http.ts";
import { type OwnDaemon, type StartOptions, startOwnDaemon } from "./start-daemon.ts";

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
