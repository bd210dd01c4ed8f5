/** Between a client and the daemon of the moment. It can cut, freeze, and hold back what passes. */
import { connect, createServer, type Server, type Socket } from "node:net";

export class CuttingProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #frozen = new WeakSet<Socket>();
  delayMs = 0;

  private constructor(port: () => number) {
    this.#server = createServer((client) => {
      const daemonSide = connect(port(), "127.0.0.1");
      for (const [from, to] of [
        [client, daemonSide],
        [daemonSide, client],
      ] as const) {
        this.#sockets.add(from);
        from.on("data", (bytes) => {
          if (this.#frozen.has(from)) return;
          if (this.delayMs === 0) to.write(bytes);
          else setTimeout(() => to.destroyed || to.write(bytes), this.delayMs);
        });
        from
          .on("error", () => {})
          .on("close", () => {
            this.#sockets.delete(from);
            to.destroy();
          });
      }
    });
  }

  static async start(port: () => number): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(port);
    await new Promise<void>((done) => proxy.#server.listen(0, "127.0.0.1", done));
    return proxy;
  }

  get url(): string {
    const { port } = this.#server.address() as { port: number };
    return `http://127.0.0.1:${port}`;
  }

  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Nothing passes any more over the connections there are, and neither side is told. */
  freeze(): void {
    for (const socket of this.#sockets) this.#frozen.add(socket);
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((done) => this.#server.close(done));
  }
}
