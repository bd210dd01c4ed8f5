/** Where a request and its answer carry what their signatures cover. Pure. */
import type { IncomingHttpHeaders } from "node:http";
import type { SignedRequest } from "./request-signature.ts";

export const ANSWER_SIGNATURE = "interlingua-signature";

const SCHEME = "Interlingua-HMAC-SHA256 ";
const NODE_NUMBER = /^[1-9]\d{0,14}$/;
const DATABASE = /^[0-9a-f-]{36}$/;
const TIME = /^\d{1,15}$/;
const NONCE = /^[0-9a-f]{32}$/;
const DIGEST = /^([0-9a-f]{64}|stream)$/;

export function requestHeaders(request: SignedRequest, signature: string): Record<string, string> {
  return {
    authorization: SCHEME + signature,
    "interlingua-from": String(request.from),
    "interlingua-to": String(request.to),
    "interlingua-database": request.database,
    "interlingua-time": String(request.at),
    "interlingua-nonce": request.nonce,
    "interlingua-digest": request.digest,
  };
}

/** Whether a request tries to be one of a node. */
export function isSignedScheme({ authorization }: IncomingHttpHeaders): boolean {
  return authorization?.startsWith(SCHEME) === true;
}

/** Undefined where one is missing or cannot be it. */
export function readRequestHeaders(
  headers: IncomingHttpHeaders,
  line: Pick<SignedRequest, "method" | "path">,
): { request: SignedRequest; signature: string } | undefined {
  const { authorization } = headers;
  const read = (name: string, shape: RegExp): string | undefined => {
    const value = headers[name];
    return typeof value === "string" && shape.test(value) ? value : undefined;
  };
  const from = read("interlingua-from", NODE_NUMBER);
  const to = read("interlingua-to", NODE_NUMBER);
  const database = read("interlingua-database", DATABASE);
  const at = read("interlingua-time", TIME);
  const nonce = read("interlingua-nonce", NONCE);
  const digest = read("interlingua-digest", DIGEST);
  if (!isSignedScheme(headers)) return undefined;
  if (
    from === undefined ||
    to === undefined ||
    database === undefined ||
    at === undefined ||
    nonce === undefined ||
    digest === undefined
  )
    return undefined;
  return {
    request: { ...line, from: Number(from), to: Number(to), database, at: Number(at), nonce, digest },
    signature: authorization!.slice(SCHEME.length),
  };
}
