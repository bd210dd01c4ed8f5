/** Clients for the server's tests: one for requests with any header, one that reads a stream and can stop reading. */
import { type IncomingMessage, request } from "node:http";

export const TOKEN = "test-token";
export const AUTHORIZED = { authorization: `Bearer ${TOKEN}` };

export interface Answer {
  status: number;
  headers: IncomingMessage["headers"];
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  body: any;
}

export interface CallOptions {
  body?: unknown;
  /** Undefined leaves a header out that is sent otherwise. */
  headers?: Record<string, string | undefined>;
}

/** Unlike `fetch` it sends every header as it is told, also `host` and `origin`. A string body is sent as it is. */
export function call(url: string, method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const { body } = options;
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const given = {
    ...AUTHORIZED,
    ...(text !== undefined && {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(text)),
    }),
    ...options.headers,
  };
  const headers = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}${path}`, { method, headers, agent: false }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      const received = Buffer.concat(chunks).toString();
      const isJson = response.headers["content-type"]?.includes("json") && received !== "";
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: received,
        body: isJson ? JSON.parse(received) : undefined,
      });
    });
    outgoing.on("error", reject);
    outgoing.end(text);
  });
}

export interface Frame {
  id?: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events freely
  data: any;
}

export interface StreamOptions {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export class StreamClient {
  readonly response: IncomingMessage;
  readonly ended: Promise<void>;
  readonly frames: Frame[] = [];
  readonly comments: string[] = [];
  /** Everything received. */
  text = "";
  #rest = "";
  #wake: (() => void)[] = [];

  private constructor(response: IncomingMessage) {
    this.response = response;
    response.setEncoding("utf8");
    response.on("data", (chunk: string) => this.#take(chunk));
    this.ended = new Promise((resolve) => response.once("close", resolve));
    this.ended.then(() => this.#notify());
  }

  static open(url: string, path: string, options: StreamOptions = {}): Promise<StreamClient> {
    const { method = "GET", body, headers } = options;
    return new Promise((resolve, reject) => {
      const outgoing = request(
        `${url}${path}`,
        {
          method,
          agent: false,
          headers: {
            ...AUTHORIZED,
            ...(body !== undefined && { "content-type": "application/json" }),
            ...headers,
          },
        },
        (response) => {
          if (response.statusCode === 200) return resolve(new StreamClient(response));
          reject(new Error(`status ${response.statusCode}`));
          response.resume();
        },
      );
      outgoing.on("error", reject);
      outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  get ids(): string[] {
    return this.frames.flatMap(({ id }) => id ?? []);
  }

  /** Resolves when the condition holds; rejects when the stream ends before. */
  async until(what: string, condition: (client: StreamClient) => boolean): Promise<void> {
    let isOpen = true;
    this.ended.then(() => {
      isOpen = false;
    });
    while (!condition(this)) {
      if (!isOpen) throw new Error(`the stream ended before ${what}`);
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
  }

  /** Leaves without a word. */
  close(): void {
    this.response.destroy();
  }

  #take(chunk: string): void {
    this.text += chunk;
    const blocks = (this.#rest + chunk).split("\n\n");
    this.#rest = blocks.pop() ?? "";
    for (const block of blocks) this.#parse(block);
    this.#notify();
  }

  #parse(block: string): void {
    let id: string | undefined;
    let data: string | undefined;
    for (const line of block.split("\n")) {
      if (line.startsWith(": ")) this.comments.push(line.slice(2));
      if (line.startsWith("id: ")) id = line.slice(4);
      if (line.startsWith("data: ")) data = line.slice(6);
    }
    if (data === undefined) return;
    // The mark at the end of a chat is no JSON.
    this.frames.push({
      ...(id !== undefined && { id }),
      data: data === "[DONE]" ? data : JSON.parse(data),
    });
  }

  #notify(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}
