/** `/api/chat` over plain HTTP, as a client of any make would use it. */
import { expect } from "vitest";
import type { StreamClient } from "../../src/server/http-client-test-support.ts";
import type { V1 } from "../../src/server/v1-test-support.ts";
import { startServer } from "./stock-chat.test-support.ts";

export class ChatHttp {
  readonly v1: V1;

  private constructor(v1: V1) {
    this.v1 = v1;
  }

  static async start(): Promise<ChatHttp> {
    return new ChatHttp(await startServer());
  }

  close(): Promise<void> {
    return this.v1.server.close();
  }

  createSession(): Promise<string> {
    return this.v1.createSession({ options: { pace: 0 } });
  }

  post(body: unknown): Promise<StreamClient> {
    return this.v1.server.open("/api/chat", { method: "POST", body });
  }

  /** Posts and reads to the end of the response. */
  async read(body: unknown): Promise<StreamClient> {
    const stream = await this.post(body);
    await stream.ended;
    return stream;
  }

  get(id: string, query = ""): Promise<StreamClient> {
    return this.v1.server.open(`/api/chat/${id}/stream${query}`);
  }

  async stop(id: string): Promise<void> {
    await this.v1.call("POST", `/api/chat/${id}/stop`);
  }

  async refused(body: unknown): Promise<[status: number, text: string, code: unknown]> {
    const answer = await this.v1.call("POST", "/api/chat", { body });
    expect(answer.headers["content-type"]).toBe("text/plain; charset=utf-8");
    return [answer.status, answer.text, answer.headers["x-interlingua-error"]];
  }
}

export const user = (id: string, text: string) => ({ id, role: "user", parts: [{ type: "text", text }] });

/** Without the mark of the end. */
export function chunks(stream: StreamClient): { type: string; messageId?: string; delta?: string }[] {
  return stream.frames.map(({ data }) => data).filter((data) => data !== "[DONE]");
}

export function said(stream: StreamClient): string {
  return chunks(stream)
    .flatMap(({ delta }) => delta ?? [])
    .join("");
}

export const saying = (text: string) => (stream: StreamClient) => said(stream).includes(text);
