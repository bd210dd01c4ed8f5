/** A link to the page that gives access, and whether other machines can follow it. */
import { isIP } from "node:net";

export interface LinkPlace {
  /** Where this machine reaches the page. */
  address: string;
  /** The address the server listens at. */
  host: string;
  /** Names under which others may reach it, with or without a port. */
  allowedHosts: readonly string[];
  /** Of the request: where whoever asks has the page open. */
  request: { host?: string; origin?: string };
}

export interface PageLink {
  /** What gives access is in its fragment, which browsers send to nobody. */
  link: string;
  /** Whether it leads to more than this machine. */
  reachable: boolean;
  /** What there has to be before others should follow it. */
  missing?: string[];
}

const NEEDS_ADDRESS =
  "The daemon listens on this machine only. Put a proxy in front of it, or start it with --host ADDRESS and a token of your own.";
const NEEDS_NAME = "It answers to no name that others could use. Start it with --allow-host NAME.";
const NEEDS_TLS =
  "The link is not encrypted, and neither is the token it gives. Put a proxy with TLS in front of it.";

/** @example pageLink("/join/CODE", place).link // "https://box.example/#/join/CODE" */
export function pageLink(fragment: string, place: LinkPlace): PageLink {
  const page = pageOf(place);
  const { hostname, protocol } = new URL(page);
  const reachable = !isLoopbackName(hostname);
  const missing = [
    ...(reachable || !isLoopbackName(place.host) ? [] : [NEEDS_ADDRESS]),
    ...(reachable ? [] : [NEEDS_NAME]),
    ...(protocol === "https:" ? [] : [NEEDS_TLS]),
  ];
  return { link: `${page}/#${fragment}`, reachable, ...(missing.length > 0 && { missing }) };
}

/** Where whoever asks has it open, unless that is for this machine only; else the first name that others may use. */
function pageOf({ address, host, allowedHosts, request }: LinkPlace): string {
  const own = URL.parse(request.origin ?? "");
  if (own && own.host === request.host?.toLowerCase() && !isLoopbackName(own.hostname)) return own.origin;
  const name = allowedHosts.find((entry) => !isLoopbackName(URL.parse(`http://${entry}`)?.hostname ?? ""));
  if (name === undefined) return address;
  // Behind a loopback address is a proxy, which has TLS and its own port.
  if (isLoopbackName(host)) return `https://${name}`;
  const { port } = new URL(address);
  return /:\d+$/.test(name) || port === "" ? `http://${name}` : `http://${name}:${port}`;
}

/** Also when it is empty. */
function isLoopbackName(name: string): boolean {
  const host = name.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  if (host === "" || host === "localhost" || host.endsWith(".localhost") || host === "::1") return true;
  return isIP(host) === 4 && host.startsWith("127.");
}
