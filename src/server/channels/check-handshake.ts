/** Refuses requests that cannot become a WebSocket, each with what to change. */
import { InterlinguaError } from "../../core/error.ts";
import { invalidField } from "../../protocol/refusals.ts";
import { checkProtocols } from "./offered-protocols.ts";

const KEY = /^[+/0-9A-Za-z]{22}==$/;
const VERSION = "13";

/** Sent with a refusal, as the protocol wants it. */
export const HANDSHAKE_HEADERS = { upgrade: "websocket", "sec-websocket-version": VERSION };

export function checkHandshake(header: (name: string) => string | undefined): void {
  if (header("upgrade")?.toLowerCase() !== "websocket")
    throw new InterlinguaError(
      "upgrade_required",
      "This address is a WebSocket. Connect with a client of WebSockets.",
    );
  const connection = header("connection")?.toLowerCase().split(",") ?? [];
  if (!connection.some((option) => option.trim() === "upgrade"))
    throw new InterlinguaError(
      "upgrade_required",
      'The handshake lacks "Connection: Upgrade", which some proxies remove. Connect with a client of WebSockets, and let the proxy forward this header.',
    );
  if (header("sec-websocket-version") !== VERSION)
    throw new InterlinguaError(
      "upgrade_required",
      `Only version ${VERSION} of the WebSocket protocol is spoken here. Use a newer client.`,
    );
  if (!KEY.test(header("sec-websocket-key") ?? ""))
    throw invalidField(
      "sec-websocket-key",
      "must be 16 bytes in base64",
      "The handshake has no valid key. Connect with a client of WebSockets.",
    );
  checkProtocols(header("sec-websocket-protocol"));
}

/**
 * `Upgrades.wants` compares the request's address as it was sent. Routes match the address after dots and percent
 * encodings are resolved, so a request can reach a channel although its connection was not kept for it.
 */
export function refuseUnusualAddress(): never {
  throw new InterlinguaError(
    "invalid_request",
    'The address of a WebSocket must be sent in its plain form. Send only the path, without "." or ".." and without percent encodings.',
  );
}

/** An address is written to logs and histories, so it must not hold a token. */
export function refuseTokenInQuery(query: URLSearchParams): void {
  const name = ["token", "access_token"].find((each) => query.has(each));
  if (name === undefined) return;
  throw invalidField(
    name,
    "must not stand in the address",
    'Send the token as "Authorization: Bearer …", or from a browser by the subprotocols "interlingua" and "bearer.TOKEN". Never put it in the address.',
  );
}
