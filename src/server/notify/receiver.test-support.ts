/** A real receiver on loopback: keeps what it got, and answers as it is told. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { NOTIFY_EVENTS, type NotifyTarget } from "../../core/notify-target.ts";

export interface Received {
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
}

export class Receiver implements AsyncDisposable {
  readonly received: Received[] = [];
  /** How requests are answered; 204 when absent. */
  answer: ((response: ServerResponse, count: number) => void) | undefined;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const body = Buffer.concat(chunks).toString();
      this.received.push({ path: request.url ?? "", headers: request.headers, body });
      if (this.answer) this.answer(response, this.received.length);
      else response.writeHead(204).end();
    });
  }

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    receiver.#server.listen(0, "127.0.0.1");
    await once(receiver.#server, "listening");
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  target(more: Partial<NotifyTarget> = {}): NotifyTarget {
    return {
      ...{ url: new URL(`${this.url}/hook`), events: new Set(NOTIFY_EVENTS), format: "json", headers: {} },
      ...more,
    };
  }

  contents(): Record<string, unknown>[] {
    return this.received.map(({ body }) => JSON.parse(body));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

/** As the guide tells receivers to do it. */
export function isSigned({ headers, body }: Received, secret: string): boolean {
  const timestamp = headers["x-interlingua-timestamp"];
  const given = Buffer.from(String(headers["x-interlingua-signature"]));
  const expected = Buffer.from(
    `sha256=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`,
  );
  const isRecent = Math.abs(Date.now() / 1000 - Number(timestamp)) < 300;
  return isRecent && given.length === expected.length && timingSafeEqual(given, expected);
}
