/** The daemon a command talks with an agent through: found, or started, and found again after a restart. */
import { Interlingua } from "../../sdk/index.ts";
import type { Invocation } from "../command.ts";
import { type DaemonAddress, findDaemon, NoDaemonError } from "../find-daemon.ts";
import { printNote } from "../output.ts";
import { startInBackground } from "./background-daemon.ts";

/** @param rootOf Where the agents of a daemon that has to be started may work. */
export async function connectDaemon(
  invocation: Invocation,
  rootOf: (dataDirectory: string) => string | Promise<string>,
): Promise<Interlingua> {
  const first = await findDaemon(invocation).catch(async (error) => {
    if (!(error instanceof NoDaemonError)) throw error;
    const root = await rootOf(error.directory);
    printNote(`Starting a daemon on ${error.directory}.`);
    return startInBackground(error.directory, root, invocation.environment);
  });
  const moving = new MovingDaemon(first, () => findDaemon(invocation));
  return Interlingua.connect({
    baseUrl: first.url,
    token: () => moving.address.token,
    name: "cli",
    fetch: (input, init) => moving.fetch(input, init),
  });
}

/** A daemon that was restarted may listen on another port: its data directory tells which. */
class MovingDaemon {
  address: DaemonAddress;
  readonly #baseUrl: string;
  readonly #find: () => Promise<DaemonAddress>;

  constructor(address: DaemonAddress, find: () => Promise<DaemonAddress>) {
    this.address = address;
    this.#baseUrl = address.url;
    this.#find = find;
  }

  async fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const url = String(input).replace(this.#baseUrl, this.address.url);
    try {
      return await fetch(url, init);
    } catch (error) {
      // Whoever tries again reaches it at its new address; until then there may be none.
      if (!init?.signal?.aborted) this.address = await this.#find().catch(() => this.address);
      throw error;
    }
  }
}
