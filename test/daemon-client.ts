/** A client of a running daemon, for tests. */
import { WebSocket } from "ws";

export class DaemonClient {
  readonly url: string;
  readonly token: string;

  constructor({ url, token }: { url: string; token: string }) {
    this.url = url;
    this.token = token;
  }

  request(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  }

  /** A WebSocket to a path. */
  openSocket(path: string): WebSocket {
    const headers = { authorization: `Bearer ${this.token}` };
    return new WebSocket(`${this.url.replace(/^http/, "ws")}${path}`, { headers });
  }

  async call<Result>(method: string, path: string, body?: unknown): Promise<Result> {
    const response = await this.request(method, path, body);
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Result;
  }

  prompt(
    session: string,
    text: string,
    id?: string,
  ): Promise<{ message: string; state: string; seq: number }> {
    return this.call("POST", `/v1/sessions/${session}/messages`, { text, ...(id && { id }) });
  }

  /** Every event's JSON exactly as stored. */
  async events(session: string): Promise<string[]> {
    const lines: string[] = [];
    const { head } = await this.call<{ head: number }>("GET", `/v1/sessions/${session}`);
    const reading = new AbortController();
    const response = await this.request(
      "GET",
      `/v1/sessions/${session}/events/sse`,
      undefined,
      reading.signal,
    );
    for await (const line of dataLines(response)) {
      lines.push(line);
      if (lines.length >= head) break;
    }
    reading.abort();
    return lines;
  }
}

/** The `data:` lines of an event stream, until it ends or breaks. */
export async function* dataLines(response: Response): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop()!;
    for (const line of lines) if (line.startsWith("data: ")) yield line.slice(6);
  }
}
