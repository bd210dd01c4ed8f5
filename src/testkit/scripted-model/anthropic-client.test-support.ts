/** For tests: a client of the Anthropic Messages API that shows every frame. */
import { expect } from "vitest";
import type { ScriptedModel } from "./start-scripted-model.ts";

export type Message = { role: string; content: unknown };

/** Asks as the clients of the Anthropic Messages API do. */
export function ask(
  { url }: ScriptedModel,
  content: unknown,
  options: { stream?: boolean; after?: Message[]; signal?: AbortSignal } = {},
): Promise<Response> {
  const { stream = true, after = [], signal } = options;
  return fetch(`${url}/v1/messages?beta=true`, {
    method: "POST",
    headers: { "x-api-key": "key" },
    body: JSON.stringify({ model: "claude-x", stream, messages: [{ role: "user", content }, ...after] }),
    signal,
  });
}

export interface Frame {
  type: string;
  index?: number;
  delta?: Record<string, unknown>;
  content_block?: Record<string, unknown>;
  message?: Record<string, unknown>;
  usage?: Record<string, unknown>;
  error?: Record<string, unknown>;
}

export function framesOf(stream: string): Frame[] {
  return [...stream.matchAll(/^event: (\w+)\ndata: (.*)\n\n/gm)].map(([, event, data]) => {
    const frame = JSON.parse(data!);
    expect(frame.type).toBe(event);
    return frame;
  });
}

export async function stream(
  model: ScriptedModel,
  content: unknown,
  after: Message[] = [],
): Promise<Frame[]> {
  const response = await ask(model, content, { after });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  return framesOf(await response.text());
}

export async function whole(model: ScriptedModel, content: unknown): Promise<Record<string, unknown>> {
  return (await ask(model, content, { stream: false })).json() as Promise<Record<string, unknown>>;
}

export function textOf(frames: Frame[]): string {
  return frames.map(({ delta }) => delta?.text ?? "").join("");
}
