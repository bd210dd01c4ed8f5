/** Which `Host` a request may name. It keeps a page whose name was rebound to this machine from reaching the daemon. */
import { InterlinguaError } from "../../core/error.ts";

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

export function allowedHosts(configured: readonly string[], port: number): ReadonlySet<string> {
  const hosts = new Set<string>();
  for (const name of LOOPBACK) hosts.add(`${name}:${port}`);
  // A browser leaves out the port that belongs to the scheme.
  if (port === 80) for (const name of LOOPBACK) hosts.add(name);
  for (const entry of configured) {
    const host = entry.toLowerCase();
    // The server's own address needs its port.
    if (LOOPBACK.includes(host)) continue;
    hosts.add(host);
    // A name without a port covers both a proxy on the default port and direct access.
    if (!/:\d+$/.test(host)) hosts.add(`${host}:${port}`);
  }
  return hosts;
}

/** Browsers always send a host; only HTTP/1.0 clients may leave it out. */
export function isAllowedHost(host: string | undefined, allowed: ReadonlySet<string>): boolean {
  return host === undefined || allowed.has(host.toLowerCase());
}

export function checkHost(host: string | undefined, allowed: ReadonlySet<string>): void {
  if (isAllowedHost(host, allowed)) return;
  throw new InterlinguaError(
    "host_not_allowed",
    "This host name is not one the daemon answers to. Use 127.0.0.1 or localhost with its port, or start it with --allow-host.",
  );
}
