/** The API with everything behind it real. Each JSON answer is also checked against the schema of its route. */
import { expect } from "vitest";
import type { z } from "zod";
import type { SessionEvent } from "../core/event.ts";
import { routes } from "../protocol/route-table.ts";
import type { Answer, CallOptions, StreamClient } from "./http-client-test-support.ts";
import { type RealServer, startRealServer } from "./real-server-test-support.ts";

export class V1 {
  readonly server: RealServer;
  #sessions = 0;

  private constructor(server: RealServer) {
    this.server = server;
  }

  static async start(): Promise<V1> {
    return new V1(await startRealServer({ limits: { requestBurst: 100_000 } }));
  }

  async call(method: string, path: string, options?: CallOptions): Promise<Answer> {
    const answer = await this.server.call(method, path, options);
    const result = schemaOf(method, path, answer.status)?.safeParse(answer.body);
    if (result && !result.success) throw new Error(`${method} ${path} answers otherwise: ${result.error}`);
    return answer;
  }

  async createSession(fields: object = {}): Promise<string> {
    this.#sessions += 1;
    const id = `s${this.#sessions}`;
    const answer = await this.call("POST", `/v1/sessions/${id}`, { body: { agent: "mock", ...fields } });
    expect(answer.status).toBe(201);
    return id;
  }

  /** Prompts and gives the stream of the turn. */
  prompt(session: string, text: string, fields: object = {}): Promise<StreamClient> {
    const body = { text, ...fields };
    return this.server.open(`/v1/sessions/${session}/messages/stream`, { method: "POST", body });
  }

  /** Prompts and reads to the end of the turn. */
  async run(session: string, text: string, fields: object = {}): Promise<StreamClient> {
    const stream = await this.prompt(session, text, fields);
    await stream.ended;
    return stream;
  }

  /** Prompts and waits for the ask of the scenario. */
  async ask(
    session: string,
    scenario: string,
    fields: object = {},
  ): Promise<{ ask: string; stream: StreamClient }> {
    const stream = await this.prompt(session, `scenario:${scenario}`, fields);
    await stream.until("the ask", seen("ask.opened"));
    return { ask: stream.frames.find(({ data }) => data.type === "ask.opened")?.data.ask, stream };
  }

  async events(session: string): Promise<SessionEvent[]> {
    return (await this.call("GET", `/v1/sessions/${session}/events?limit=1000`)).body.events;
  }
}

export function types(stream: StreamClient): string[] {
  return stream.frames.map(({ data }) => data.type);
}

export function seen(type: string): (stream: StreamClient) => boolean {
  return (stream) => types(stream).includes(type);
}

/** For an answer and the status and code it should have. */
export function refusal(answer: Answer): [status: number, code: string] {
  return [answer.status, answer.body?.code];
}

function schemaOf(method: string, path: string, status: number): z.ZodType | undefined {
  const segments = path.split("?")[0]?.split("/") ?? [];
  const route = Object.values(routes).find((candidate) => {
    const template = candidate.path.split("/");
    return (
      candidate.method === method.toLowerCase() &&
      template.length === segments.length &&
      template.every((part, index) => part.startsWith("{") || part === segments[index])
    );
  });
  const responses = (route?.responses ?? {}) as Record<
    number,
    { content?: Record<string, { schema: z.ZodType }> }
  >;
  return responses[status]?.content?.["application/json"]?.schema;
}
