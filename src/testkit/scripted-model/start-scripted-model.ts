/** A model server on loopback that says what a test has written down for it. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { anthropicMessages } from "./anthropic-messages.ts";
import { type ChooseScript, chooseByTag } from "./choose-script.ts";
import { Gates } from "./gates.ts";
import { gemini } from "./gemini.ts";
import type { JsonObject, ModelApi, ModelRequest } from "./model-api.ts";
import { openAiChat } from "./openai-chat.ts";
import { openAiResponses } from "./openai-responses.ts";
import { playReply, sendJson } from "./play-reply.ts";
import { type JournalEntry, RequestJournal } from "./request-journal.ts";
import { type Beat, type Reply, type Script, type ScriptContext, text } from "./script.ts";

const ALL_APIS: readonly ModelApi[] = [anthropicMessages, openAiResponses, openAiChat, gemini];

export interface ScriptedModelOptions {
  readonly scripts?: Readonly<Record<string, Script>>;
  /** Which script a request gets; by its tag when absent. */
  readonly choose?: ChooseScript;
  /** What requests get that are about no script: titles, summaries and the like. `ok` when absent. */
  readonly fallback?: Reply;
  /** The APIs it speaks. All there are when absent. */
  readonly apis?: readonly ModelApi[];
}

export interface ScriptedModel {
  /** `http://127.0.0.1:PORT`, what an agent gets as the base URL of its provider. */
  readonly url: string;
  /** The requests for replies, in the order they came. */
  readonly requests: readonly JournalEntry[];
  /** Method and path of calls that nothing here answers; they got a 404. */
  readonly strays: readonly string[];
  /** The request with this number, from 0, as soon as it has come. */
  request(index: number): Promise<JournalEntry>;
  /** Opens a gate for good: requests that hang at it go on, later ones pass. */
  release(gate?: string): void;
  /** Ends all connections, also those that hang. Idempotent. */
  close(): Promise<void>;
}

/**
 * Starts the server on a free port of the loopback interface.
 *
 * @example
 * const model = await startScriptedModel({
 *   scripts: { hello: [text("Hi")], edit: [[toolCall("Write", { file_path: "a", content: "A" })], [text("done")]] },
 * });
 * await run({ ANTHROPIC_BASE_URL: model.url, prompt: "Say hello [[hello]]" });
 * expect((await model.request(0)).outcome).toBe("answered");
 * await model.close();
 */
export async function startScriptedModel(options: ScriptedModelOptions = {}): Promise<ScriptedModel> {
  const { scripts = {}, choose = chooseByTag, fallback = [text("ok")], apis = ALL_APIS } = options;
  const journal = new RequestJournal();
  const gates = new Gates();
  const strays: string[] = [];
  let ids = 0;
  const newId = (prefix: string) => {
    ids += 1;
    return `${prefix}_${String(ids).padStart(6, "0")}`;
  };

  const server = createServer((message, response) => {
    answer(message, response).catch((error: Error) => {
      // A fault of the test: 400, since agents try again for long after a 500.
      if (response.headersSent) response.destroy(error);
      else sendJson(response, 400, apis[0]!.errorBody({ status: 400, message: error.message }));
    });
  });

  async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", headers } = message;
    const path = new URL(message.url ?? "/", "http://localhost").pathname;
    const body = method === "POST" ? ((await json(message)) as JsonObject) : {};
    const api = method === "POST" ? apis.find((candidate) => isAt(candidate, path)) : undefined;
    if (api) return reply(api, { api: api.name, headers, body, ...api.readRequest(body, path) }, response);
    for (const candidate of apis) {
      const aside = candidate.answerAside(method, path, body);
      if (aside) return sendJson(response, 200, aside);
    }
    strays.push(`${method} ${path}`);
    const error = { status: 404, message: `The scripted model does not know ${method} ${path}.` };
    sendJson(response, 404, apis[0]!.errorBody(error));
  }

  async function reply(api: ModelApi, request: ModelRequest, response: ServerResponse): Promise<void> {
    const choice = choose(request);
    const attempt = journal.attemptsOf(choice?.script, choice?.step) + 1;
    const { script, step, argument } = choice ?? {};
    const entry: JournalEntry = { ...request, script, step, attempt, outcome: "open" };
    journal.entries.push(entry);
    const controller = new AbortController();
    response.once("close", () => controller.abort());
    try {
      const context: ScriptContext = { request, argument, step: step ?? 0, attempt };
      const beats = script === undefined ? fallback : findReply(scripts, script, context);
      entry.outcome = await playReply({
        api,
        request,
        reply: beats.filter((beat) => !isOver(beat, attempt)),
        response,
        signal: controller.signal,
        newId,
        opened: (gate) => gates.opened(gate),
      });
    } catch (error) {
      entry.outcome = controller.signal.aborted ? "aborted" : "failed";
      if (!controller.signal.aborted) throw error;
    }
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests: journal.entries,
    strays,
    request: (index) => journal.wait(index),
    release: (gate = "hang") => gates.open(gate),
    async close() {
      const closed = server.listening ? once(server, "close") : undefined;
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function isAt({ path }: ModelApi, asked: string): boolean {
  return typeof path === "string" ? path === asked : path.test(asked);
}

function findReply(scripts: Readonly<Record<string, Script>>, name: string, context: ScriptContext): Reply {
  const script = scripts[name];
  if (!script) {
    throw new Error(`There is no script "${name}"; there are ${Object.keys(scripts).join(", ") || "none"}.`);
  }
  if (typeof script === "function") return script(context);
  if (!isSequence(script)) return script;
  return script[Math.min(context.step, script.length - 1)] ?? [];
}

function isSequence(script: Reply | readonly Reply[]): script is readonly Reply[] {
  return Array.isArray(script[0]);
}

/** A fault that happens only so many times. */
function isOver(beat: Beat, attempt: number): boolean {
  return "times" in beat && beat.times !== undefined && attempt > beat.times;
}
