/** A client of WebSockets for tests: the real `ws`, with what it got and how it ended. */
import type { IncomingMessage } from "node:http";
import { type ClientOptions, WebSocket } from "ws";
import { until } from "../../testkit/until.ts";
import { AUTHORIZED } from "../http-client-test-support.ts";

export interface SocketOptions extends ClientOptions {
  protocols?: string[];
}

/** A handshake that was answered with something else than a socket. */
export class RefusedHandshake extends Error {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  readonly body: any;

  constructor(response: IncomingMessage, body: string) {
    super(`refused with ${response.statusCode}: ${body}`);
    this.status = response.statusCode ?? 0;
    this.headers = response.headers;
    this.body = response.headers["content-type"]?.includes("json") ? JSON.parse(body) : body;
  }
}

export class SocketClient {
  readonly socket: WebSocket;
  readonly messages: string[] = [];
  closed: { code: number; reason: string } | undefined;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on("message", (data) => this.messages.push(String(data)));
    socket.on("close", (code, reason) => {
      this.closed = { code, reason: String(reason) };
    });
  }

  /** With the token unless other headers are given. Rejects with `RefusedHandshake`. */
  static open(url: string, path: string, options: SocketOptions = {}): Promise<SocketClient> {
    const { protocols = [], ...rest } = options;
    const address = `${url.replace(/^http/, "ws")}${path}`;
    const socket = new WebSocket(address, protocols, { headers: AUTHORIZED, ...rest });
    const client = new SocketClient(socket);
    return new Promise((resolve, reject) => {
      socket.on("open", () => resolve(client));
      socket.on("error", reject);
      socket.on("unexpected-response", async (_, response) => {
        let body = "";
        for await (const chunk of response) body += chunk;
        reject(new RefusedHandshake(response, body));
      });
    });
  }

  /** JSON of every message so far. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages freely
  get values(): any[] {
    return this.messages.map((text) => JSON.parse(text));
  }

  send(message: unknown): void {
    this.socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  /** How it ended. */
  async ended(): Promise<{ code: number; reason: string }> {
    await until(() => this.closed !== undefined);
    return this.closed!;
  }

  close(): void {
    this.socket.terminate();
  }
}

/** The answer to a handshake that is refused. */
export async function refusal(url: string, path: string, options?: SocketOptions): Promise<RefusedHandshake> {
  const error = await SocketClient.open(url, path, options).catch((reason: unknown) => reason);
  if (error instanceof RefusedHandshake) return error;
  throw error instanceof Error ? error : new Error("It was not refused.");
}
