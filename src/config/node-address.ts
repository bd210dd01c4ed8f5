/** Where a node of a cluster listens for the others, what it tells them, and with which certificate. */
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { isLoopback } from "../core/is-loopback.ts";
import type { Config } from "./config.ts";
import { ConfigError } from "./config-error.ts";

export interface NodeListenAddress {
  /** What others are told. With the port 0, the one that was picked takes its place. */
  advertise: string;
  /** All addresses of this machine when absent. */
  host?: string;
  port: number;
  tls?: { cert: Buffer; key: Buffer };
  /** Whose certificates are trusted, instead of the usual ones. */
  ca?: Buffer;
  /** Others may be called without TLS off the loopback. */
  isInsecure?: boolean;
}

/** Nobody else can reach it. */
const DEFAULT_ADVERTISE = "http://127.0.0.1:0";

const DEFAULT_PORTS: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

/** Throws a ConfigError that says what to change. */
export function nodeAddress({
  advertise = DEFAULT_ADVERTISE,
  clusterInsecure,
  cluster,
}: Pick<Config, "advertise" | "clusterInsecure" | "cluster">): NodeListenAddress {
  const url = new URL(advertise);
  const name = url.hostname.replace(/^\[|\]$/g, "");
  const { certificate, key, ca } = cluster;
  const isSecure = url.protocol === "https:";
  if (isSecure && (certificate === undefined || key === undefined)) {
    throw new ConfigError(
      `--advertise: ${advertise} needs a certificate. Name its files in the config: "cluster": {"certificate": "node.crt", "key": "node.key"}`,
    );
  }
  const port = url.port === "" ? DEFAULT_PORTS[url.protocol]! : Number(url.port);
  const place = listenAddress(cluster.listen, { name, port });
  const isPrivate = isLoopback(name) && isLoopback(place.host ?? "");
  if (!isSecure && !isPrivate && !clusterInsecure) {
    throw new ConfigError(
      `--advertise: ${advertise} has no TLS, and prompts and values of variables would cross the network readable. Give an https address and a certificate, or --cluster-insecure where the network is yours alone.`,
    );
  }
  return {
    advertise,
    ...place,
    ...(isSecure && { tls: { cert: read("certificate", certificate!), key: read("key", key!) } }),
    ...(clusterInsecure && { isInsecure: true }),
    ...(ca !== undefined && { ca: read("ca", ca) }),
  };
}

/** An address is listened at as it is. What a name means to others, this machine may not know. */
function listenAddress(
  listen: string | undefined,
  { name, port }: { name: string; port: number },
): { host?: string; port: number } {
  if (listen === undefined) return isLoopback(name) || isIP(name) ? { host: name, port } : { port };
  const { hostname, port: given } = new URL(`tcp://${listen}`);
  return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(given) };
}

function read(setting: "certificate" | "key" | "ca", file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new ConfigError(`cluster.${setting}: ${file} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
