/**
 * The connections on which nothing was ever asked. Clients open them in advance: `fetch` does after it has cancelled a
 * stream. Node counts them among those that are busy, so a server that closes would wait for them in vain.
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
