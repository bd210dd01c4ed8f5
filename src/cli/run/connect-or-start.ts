/** The daemon a command talks with an agent through: the one that runs, or one that is started for it. */
import type { Client } from "../../sdk/client.ts";
import type { Invocation } from "../command.ts";
import { clientOf } from "../connect-daemon.ts";
import { findDaemon, NoDaemonError } from "../find-daemon.ts";
import { printNote } from "../output.ts";
import { startInBackground } from "./background-daemon.ts";

/** @param rootOf Where the agents of a daemon that has to be started may work. */
export async function connectOrStart(
  invocation: Invocation,
  rootOf: (dataDirectory: string) => string | Promise<string>,
): Promise<Client> {
  const { url } = await findDaemon(invocation).catch(async (error) => {
    if (!(error instanceof NoDaemonError)) throw error;
    const root = await rootOf(error.directory);
    printNote(`Starting a daemon on ${error.directory}.`);
    return startInBackground(error.directory, root, invocation.environment);
  });
  return clientOf(url, () => findDaemon(invocation));
}
