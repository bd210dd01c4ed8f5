/**
 * Whether a node may be called where its row says: what is sent there is secret, and whoever can write the database must not
 * be able to direct it elsewhere, nor to have it sent in the clear. Pure.
 */
import { isLoopback } from "../../core/is-loopback.ts";
import type { NodeAddress } from "../../core/ownership.ts";
import { PeerUnreachableError } from "./peer-transport.ts";
import { isProvenAddress } from "./request-signature.ts";

export interface CallableOptions {
  /** That of the signatures. */
  key: Buffer;
  /** Others may be called without TLS off the loopback. */
  isInsecure?: boolean;
}

/** Throws a PeerUnreachableError. */
export function assertCallable(
  node: NodeAddress,
  { key, isInsecure = false }: CallableOptions,
): asserts node is NodeAddress & { url: string } {
  const { name, id, url } = node;
  const refuse = (reason: string) =>
    new PeerUnreachableError(`The node "${name}" (number ${id}) is not called: ${reason}`, {
      mayHaveArrived: false,
    });
  if (url === undefined) throw refuse("it tells no address.");
  if (!isProvenAddress(key, { ...node, url }))
    throw refuse(`that it is at ${url} was not written by a node with our secret.`);
  const { protocol, hostname } = new URL(url);
  if (protocol !== "https:" && !isInsecure && !isLoopback(hostname))
    throw refuse(
      `${url} has no TLS. Give it an https address and a certificate, or start this node with --cluster-insecure where the network is yours alone.`,
    );
}
