/** A connection whose bytes a benchmark writes itself: clients of a library would be busier than the daemon. */
import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import type { DaemonProcess } from "../../test/crash/daemon-process.ts";

export class RawConnection implements Disposable {
  readonly #socket: Socket;
  /** The status of its answer; undefined if the connection broke before there was one. */
  readonly status: Promise<number | undefined>;
  bytes = 0;

  constructor({ url, token }: Pick<DaemonProcess, "url" | "token">, path: string, headers = "") {
    const { hostname, port, host } = new URL(url);
    this.#socket = connect(Number(port), hostname);
    this.#socket.write(
      `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\n${headers}\r\n`,
    );
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    this.status = promise;
    this.#socket.on("data", (piece) => {
      if (this.bytes === 0) resolve(Number(piece.toString("latin1", 9, 12)));
      this.bytes += piece.length;
    });
    this.#socket.on("error", () => {});
    this.#socket.on("close", () => resolve(undefined));
  }

  static openSocket(daemon: Pick<DaemonProcess, "url" | "token">, path: string): RawConnection {
    const key = randomBytes(16).toString("base64");
    return new RawConnection(
      daemon,
      path,
      `upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${key}\r\n`,
    );
  }

  write(bytes: Buffer): void {
    this.#socket.write(bytes);
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }
}
