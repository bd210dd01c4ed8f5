/** Refuses what never becomes a request: bytes that are not HTTP, and bodies announced as too large. */
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";

/** What the HTTP parser found wrong, as a status. */
const STATUSES: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

export function refuseBadRequests(
  server: Server,
  listener: (request: IncomingMessage, response: ServerResponse) => void,
  maxBodyBytes: number,
): void {
  // A client that sends `Expect: 100-continue` gets "continue" only if its body will be accepted.
  server.on("checkContinue", (request, response) => {
    if (!(Number(request.headers["content-length"]) > maxBodyBytes)) response.writeContinue();
    listener(request, response);
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || error.code === "ECONNRESET") return socket.destroy();
    const status = STATUSES[error.code ?? ""] ?? 400;
    const title = STATUS_CODES[status] ?? "Bad Request";
    const body = JSON.stringify({
      type: "urn:interlingua:error:invalid_request",
      title,
      status,
      detail: "The daemon could not read this as an HTTP request.",
      code: "invalid_request",
    });
    socket.end(
      `HTTP/1.1 ${status} ${title}\r\nconnection: close\r\ncontent-type: application/problem+json\r\n` +
        `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  });
}
