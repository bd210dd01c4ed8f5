/**
 * The subprotocols that a client offers for a WebSocket. A browser can send no header with one, so it offers the token
 * as a subprotocol. It is never answered.
 */
import type { IncomingMessage } from "node:http";
import { invalidField } from "../../protocol/refusals.ts";

/** What every channel speaks. */
export const PROTOCOL = "interlingua";
const BEARER = "bearer.";

/** The token of an upgrade that has no `Authorization` header. Undefined if none is offered. */
export function offeredToken({ headers }: IncomingMessage): string | undefined {
  if (headers.authorization !== undefined || headers.upgrade === undefined) return undefined;
  const offered = protocolsIn(headers["sec-websocket-protocol"]).find((name) => name.startsWith(BEARER));
  return offered?.slice(BEARER.length);
}

/** Throws if the client offers subprotocols that would not be answered: browsers take that for a failure. */
export function checkProtocols(offered: string | undefined): void {
  if (offered === undefined || protocolsIn(offered).includes(PROTOCOL)) return;
  throw invalidField(
    "sec-websocket-protocol",
    `must include "${PROTOCOL}"`,
    `Offer the subprotocol "${PROTOCOL}", and from a browser the token as "bearer.TOKEN" beside it.`,
  );
}

function protocolsIn(offered: string | undefined): string[] {
  return offered?.split(",").map((name) => name.trim()) ?? [];
}
