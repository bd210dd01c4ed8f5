/** `interlingua/sdk` in browsers: everything but starting a daemon. */
import { Client, connect } from "./client.ts";
import type { ConnectOptions } from "./http.ts";

export * from "./exports.ts";

export class Interlingua extends Client {
  /** Finds out whether the daemon is there and takes the token, and rejects where not. */
  static async connect(options: ConnectOptions): Promise<Interlingua> {
    return new Interlingua(await connect(options));
  }
}
