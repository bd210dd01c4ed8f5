/** For tests: an ACP agent behind a real server on loopback, one process for each connection, and connections that are cut. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import type { IncomingHttpHeaders } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { WebSocketServer } from "ws";
import { LineSplitter, readableText } from "../../process/line-splitter.ts";
import { misbehavingAcpAgent } from "../../testkit/misbehaving-acp-agent/index.ts";

export type Carrier = "ws" | "tcp";

export interface AcpServerOptions {
  carrier: Carrier;
  /** Where the agent keeps its sessions. */
  memory: string;
  /** The same as before, for a server that comes back. */
  port?: number;
  /** Cuts a connection right before this message from the agent is passed on, counted from 1. */
  cutBefore?: (connection: number) => number | undefined;
}

interface Connection {
  send(text: string): void;
  cut(): void;
}

export class AcpServer {
  readonly headers: IncomingHttpHeaders[] = [];
  /** All that clients sent, as lines. */
  readonly heard: string[] = [];
  #connections = 0;
  readonly #open = new Set<Connection>();
  readonly #agents = new Set<ChildProcessWithoutNullStreams>();
  readonly #options: AcpServerOptions;
  #close: () => Promise<void> = async () => {};
  url = "";

  private constructor(options: AcpServerOptions) {
    this.#options = options;
  }

  static async start(options: AcpServerOptions): Promise<AcpServer> {
    const server = new AcpServer(options);
    await (options.carrier === "ws" ? server.#serveWebSockets() : server.#serveTcp());
    return server;
  }

  /** How many there were. */
  get connections(): number {
    return this.#connections;
  }

  get isConnected(): boolean {
    return this.#open.size > 0;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** Cuts every connection in the middle of whatever it does. */
  cut(): void {
    for (const connection of this.#open) connection.cut();
  }

  async close(): Promise<void> {
    this.cut();
    for (const agent of this.#agents) agent.kill("SIGKILL");
    await this.#close();
  }

  async #serveWebSockets(): Promise<void> {
    const server = new WebSocketServer({ host: "127.0.0.1", port: this.#options.port ?? 0 });
    await once(server, "listening");
    this.url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/agent`;
    server.on("connection", (socket, { headers }) => {
      this.headers.push(headers);
      const hear = this.#connect({ send: (text) => socket.send(text), cut: () => socket.terminate() });
      socket.on("error", () => {});
      socket.on("message", (data) => hear.line(data.toString()));
      socket.on("close", () => hear.end());
    });
    this.#close = () => new Promise((done) => server.close(() => done()));
  }

  async #serveTcp(): Promise<void> {
    const server: Server = createServer((socket: Socket) => {
      const hear = this.#connect({ send: (text) => socket.write(`${text}\n`), cut: () => socket.destroy() });
      const splitter = new LineSplitter();
      socket.on("error", () => {});
      socket.on("data", (chunk: Buffer) => {
        for (const line of splitter.push(chunk)) hear.line(readableText(line));
      });
      socket.on("close", () => hear.end());
    });
    server.listen(this.#options.port ?? 0, "127.0.0.1");
    await once(server, "listening");
    this.url = `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.#close = () => new Promise((done) => server.close(() => done()));
  }

  #connect(connection: Connection): { line(text: string): void; end(): void } {
    this.#connections += 1;
    this.#open.add(connection);
    const cutBefore = this.#options.cutBefore?.(this.#connections);
    const { command, args } = misbehavingAcpAgent({ memory: this.#options.memory });
    const agent = spawn(command, args);
    this.#agents.add(agent);
    agent.on("exit", () => this.#agents.delete(agent));
    agent.stdin.on("error", () => {});
    const splitter = new LineSplitter();
    let passed = 0;
    agent.stdout.on("data", (chunk: Buffer) => {
      for (const line of splitter.push(chunk)) {
        passed += 1;
        if (passed === cutBefore) return connection.cut();
        if (this.#open.has(connection)) connection.send(readableText(line));
      }
    });
    return {
      line: (text) => {
        this.heard.push(text);
        agent.stdin.write(`${text}\n`);
      },
      // The agent finds its pipe closed, as it does with a client that is gone.
      end: () => {
        this.#open.delete(connection);
        agent.stdin.end();
      },
    };
  }
}
