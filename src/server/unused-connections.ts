/**
 * Tracks connections without any request. Clients open them in advance, as `fetch` does after it cancelled a stream.
 * Node counts them as busy, so a closing server would wait for them in vain.
 */
import type { Server } from "node:http";
import type { Socket } from "node:net";

export class UnusedConnections {
  readonly #connections = new Set<Socket>();

  constructor(server: Server) {
    server.on("connection", (socket) => {
      this.#connections.add(socket);
      socket.once("close", () => this.#connections.delete(socket));
    });
  }

  close(): void {
    for (const socket of this.#connections) if (socket.bytesRead === 0) socket.destroy();
  }
}
