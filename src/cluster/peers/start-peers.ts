/** Both sides of the talk between nodes: the address of this one, and the way to the others. */

import type { NodeAddress } from "../../core/ownership.ts";
import { CountedTransport } from "./counted-transport.ts";
import { HttpPeerTransport } from "./http-peer-transport.ts";
import { PeerListener, type PeerLogger } from "./peer-listener.ts";
import type { PeerRoutes, PeerTransport } from "./peer-transport.ts";
import { RequestChecker } from "./request-checker.ts";
import { digestToken, isProvenAddress, signAddress, signatureKey } from "./request-signature.ts";

/** Where this node listens, and what it tells others. */
export interface PeerAddress {
  /** Under which others reach it; with the port 0 the one that was picked is told. */
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

export interface StartPeersOptions extends PeerAddress {
  secret: string;
  logger: PeerLogger;
  maxBodyBytes?: number;
}

/** How other nodes know this one. It changes when the node joins anew. */
export interface PeerIdentity {
  /** Its number. */
  node(): number;
  /** The id of its database. */
  database(): string;
  /** Whether a node lives, by the table of nodes. */
  isLiving(node: number): Promise<boolean>;
}

export interface Peers {
  readonly transport: PeerTransport;
  /** What was asked of others so far. */
  readonly counts: Readonly<CountedTransport["counts"]>;
  readonly routes: PeerRoutes;
  /** What `node.url` is to be. */
  readonly url: string;
  /** What `node.proof` is to be. */
  proveAddress(daemon: string): string;
  /** The entry of `node.tokens` for a client token. */
  digestToken(token: string): string;
  /** Whether a node has proven its address with our secret. So has one that proves nothing, of an earlier version say. */
  hasOurSecret(node: NodeAddress): boolean;
  /** From when on calls are signed and taken; before it there is no number. */
  identify(self: PeerIdentity): void;
  /** Never rejects. */
  close(): Promise<void>;
}

/** Rejects when it cannot listen. */
export async function startPeers(options: StartPeersOptions): Promise<Peers> {
  const { secret, host, port, tls, ca, isInsecure, logger, maxBodyBytes } = options;
  let self: PeerIdentity = { node: () => 0, database: () => "", isLiving: async () => false };
  const key = signatureKey(secret);
  const node = () => self.node();
  const database = () => self.database();
  const checker = new RequestChecker({ key, node, database, now: Date.now });
  const isLiving = (node: number) => self.isLiving(node);
  const listener = await PeerListener.listen({
    ...{ host, port, tls, key, checker, isLiving, logger, maxBodyBytes },
  }).catch((error: Error) => {
    const place = `${host ?? "every address"}, port ${port}`;
    const remedy =
      "Choose another with --advertise, or name one of this machine as cluster.listen in the config file.";
    throw new Error(`Nodes cannot be listened for at ${place}: ${error.message}. ${remedy}`, {
      cause: error,
    });
  });
  const http = new HttpPeerTransport({ key, node, database, ca, isInsecure });
  const transport = new CountedTransport(http);
  const advertised = new URL(options.advertise);
  if (advertised.port === "0") advertised.port = String(listener.port);
  return {
    transport,
    counts: transport.counts,
    routes: listener,
    url: advertised.origin,
    proveAddress: (daemon) => signAddress(key, { daemon, url: advertised.origin }),
    digestToken: (token) => digestToken(key, token),
    hasOurSecret: ({ daemon, url, proof }) =>
      url === undefined || proof === undefined || isProvenAddress(key, { daemon, url, proof }),
    identify(identity) {
      self = identity;
    },
    async close() {
      http.close();
      await listener.close();
    },
  };
}
