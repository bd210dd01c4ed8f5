/** The client of the daemon a command talks to. */
import type { Client } from "../sdk/client.ts";
import type { Invocation } from "./command.ts";
import { type DaemonAddress, findDaemon } from "./find-daemon.ts";

/** Throws a NoDaemonError where none runs. One that is restarted is found again, wherever it listens then. */
export async function connectDaemon(invocation: Invocation): Promise<Client> {
  const { url } = await findDaemon(invocation);
  return clientOf(url, () => findDaemon(invocation));
}

/** @param find Called before each request. */
export async function clientOf(
  baseUrl: string,
  find: () => DaemonAddress | Promise<DaemonAddress>,
): Promise<Client> {
  const { Client } = await import("../sdk/client.ts");
  const { HttpClient } = await import("../sdk/http.ts");
  const fetchFromDaemon: typeof fetch = async (input, init) => {
    const daemon = await find();
    const headers = new Headers(init?.headers);
    headers.set("authorization", `Bearer ${daemon.token}`);
    return fetch(daemon.url + String(input).slice(baseUrl.length), { ...init, headers });
  };
  return new Client(new HttpClient({ baseUrl, name: "cli", fetch: fetchFromDaemon }));
}
