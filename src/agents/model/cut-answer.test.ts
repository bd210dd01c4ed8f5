/** Providers whose answer is none, or ends in the middle without an error. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import { ModelWorld } from "./with-model.test-support.ts";

const anthropic = [
  { type: "message_start", message: { id: "m", content: [], usage: { input_tokens: 5, output_tokens: 1 } } },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Half" } },
];
const call = { type: "tool_use", id: "toolu_1", name: "list_files", input: {} };
const anthropicCall = [
  anthropic[0],
  { type: "content_block_start", index: 0, content_block: call },
  { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: '{"pa' } },
];
const openai = [
  { type: "response.created", response: { id: "r", created_at: 1, model: "x" } },
  { type: "response.output_item.added", output_index: 0, item: { type: "message", id: "i" } },
  { type: "response.output_text.delta", item_id: "i", output_index: 0, content_index: 0, delta: "Half" },
];
const google = [{ candidates: [{ content: { role: "model", parts: [{ text: "Half" }] } }] }];
const compatible = [{ id: "c", choices: [{ index: 0, delta: { role: "assistant", content: "Half" } }] }];

const HTML = "<html><body>Sign in to the network</body></html>";
const events = (chunks: unknown[]) => chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");

let body = "";
let requests = 0;
const server = createServer((request, response) => {
  request.resume().on("end", () => {
    // Lists of models are asked for, too.
    if (request.method === "POST") requests += 1;
    response.writeHead(200, { "content-type": body === HTML ? "text/html" : "text/event-stream" });
    response.end(body);
  });
});
let world: ModelWorld;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const environment = {
    ANTHROPIC_BASE_URL: url,
    OPENAI_BASE_URL: url,
    GOOGLE_GEMINI_BASE_URL: url,
    OLLAMA_HOST: url,
  };
  world = await ModelWorld.start({}, { environment });
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
  server.closeAllConnections();
  server.close();
});

it.each([
  ["half an answer of Anthropic", "anthropic/claude-sonnet-4-5", events(anthropic)],
  ["half a call of Anthropic", "anthropic/claude-sonnet-4-5", events(anthropicCall)],
  ["half an answer of OpenAI", "openai/gpt-5.1", events(openai)],
  ["half an answer of Google", "google/gemini-2.5-pro", events(google)],
  ["half an answer of an OpenAI-compatible server", "ollama/x", events(compatible)],
  ["a page instead of an answer of Anthropic", "anthropic/claude-sonnet-4-5", HTML],
  ["a page instead of an answer of OpenAI", "openai/gpt-5.1", HTML],
  ["a page instead of an answer of Google", "google/gemini-2.5-pro", HTML],
  ["nothing instead of an answer of OpenAI", "openai/gpt-5.1", ""],
])("%s is tried again, and never taken for a whole one", async (_name, model, sent) => {
  body = sent;
  requests = 0;
  const run = await world.run({ model, adapterOptions: { maxRetries: 1 } });
  await run.turn("Hello");
  expect(checkLog(await run.close(), { complete: true })).toEqual([]);
  expect(run.of("turn.ended")).toMatchObject([
    {
      outcome: "failed",
      error: { code: "connection_lost", message: expect.stringMatching(/no whole answer.*see whether/) },
    },
  ]);
  expect(run.of("notice").map(({ code }) => code)).toEqual(["retry"]);
  expect(requests).toBe(2);
});
