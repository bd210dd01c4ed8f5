/**
 * Who sent a request of one node to another: an HMAC with the secret of the cluster, which is never sent itself. It covers
 * both nodes, so that what was meant for one is nothing at another one, and an answer names the request it belongs to. Pure.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** Everything of a request that means something. */
export interface SignedRequest {
  method: string;
  path: string;
  /** The number of the node that sends it. */
  from: number;
  /** The number of the node it is for. */
  to: number;
  /** The id of the database in which both have these numbers. */
  database: string;
  /** When, by the clock of the sender. */
  at: number;
  nonce: string;
  /** Of the body; UNSIGNED_BODY for a stream. */
  digest: string;
}

export interface SignedAnswer {
  /** Of the request. */
  nonce: string;
  status: number;
  digest: string;
}

/** In place of a digest: bytes that come later cannot be signed now. TLS protects these. */
export const UNSIGNED_BODY = "stream";

/** The key of the signatures, so that the secret can serve for something else one day. */
export function signatureKey(secret: string): Buffer {
  return createHmac("sha256", secret).update("interlingua: requests between nodes, 1").digest();
}

export function signRequest(key: Buffer, request: SignedRequest): string {
  const { method, path, from, to, database, at, nonce, digest } = request;
  return sign(key, ["request", method, path, from, to, database, at, nonce, digest]);
}

export function signAnswer(key: Buffer, { nonce, status, digest }: SignedAnswer): string {
  return sign(key, ["answer", nonce, status, digest]);
}

/** What shows that a node with the secret has told its address. */
export function signAddress(key: Buffer, { daemon, url }: { daemon: string; url: string }): string {
  return sign(key, ["address", daemon, url]);
}

/** By which nodes compare client tokens: nothing of a token can be found out from it without the secret. */
export function digestToken(key: Buffer, token: string): string {
  return sign(key, ["token", token]);
}

/** Whether a node with the secret has told this address. */
export function isProvenAddress(
  key: Buffer,
  { daemon = "", url, proof = "" }: { daemon?: string; url: string; proof?: string },
): boolean {
  return isSameSignature(proof, signAddress(key, { daemon, url }));
}

/** In a time that does not depend on where they differ. */
export function isSameSignature(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}

export function digestOf(body: string | Uint8Array): string {
  return createHash("sha256").update(body).digest("hex");
}

/** As JSON, no two lists are the same text. */
function sign(key: Buffer, values: readonly (string | number)[]): string {
  return createHmac("sha256", key).update(JSON.stringify(values)).digest("hex");
}
