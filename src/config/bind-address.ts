/** What a listen address means: who can reach it, and under which address this machine does. */
import { isIPv6 } from "node:net";

/** All addresses of the machine; nobody can connect to this name. */
function isWildcard(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}

/** The host names a daemon accepts without configuration: its own address. No other site can use that. */
export function ownHosts(host: string): string[] {
  if (isWildcard(host)) return [];
  return [isIPv6(host) ? `[${host}]` : host];
}

/** The address under which programs on this machine reach a daemon that listens at `url`. */
export function localUrl(url: string): string {
  return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}
