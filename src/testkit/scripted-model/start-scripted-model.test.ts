import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { until } from "../until.ts";
import { chooseByTag } from "./choose-script.ts";
import {
  disconnect,
  hang,
  httpError,
  inPieces,
  redactedThinking,
  slow,
  stop,
  streamError,
  text,
  thinking,
  toolCall,
  unparsableToolCall,
  usage,
} from "./script.ts";
import { type ScriptedModel, startScriptedModel } from "./start-scripted-model.ts";

const POEM = "Rain on the roof, and the kettle sings.";

let model: ScriptedModel;

beforeEach(async () => {
  model = await startScriptedModel({
    scripts: {
      hello: [text("Hel", "lo")],
      rich: [
        redactedThinking("b3BhcXVl"),
        thinking("Let me ", "see."),
        text("Two calls:"),
        toolCall("Write", { file_path: "a.txt", content: POEM }, { id: "toolu_one" }),
        unparsableToolCall("Bash", '{"command": "ls'),
        usage({ input: 100, output: 20, cacheRead: 60, cacheWrite: 30 }),
      ],
      edit: [[toolCall("Write", {})], [text("Done.")]],
      cut: [text("too long"), stop("max-tokens")],
      refused: [text("No."), stop("refusal")],
      busy: [httpError(429, { retryAfter: 3, times: 2 }), text("Third time lucky.")],
      overloaded: [text("Half"), streamError({ times: 1 }), text(" and whole")],
      lost: [text("Half"), disconnect()],
      unheard: [disconnect()],
      silent: [text("Hm"), hang(), text("!")],
      slow: [slow(1), text(...inPieces(POEM, 5))],
      count: ({ attempt, argument }) => [text(`${argument} ${attempt}`)],
      late: [text("said"), httpError(500)],
    },
  });
});

afterEach(() => model.close());

type Message = { role: string; content: unknown };

function ask(
  content: unknown,
  options: { stream?: boolean; after?: Message[]; signal?: AbortSignal } = {},
): Promise<Response> {
  const { stream = true, after = [], signal } = options;
  return fetch(`${model.url}/v1/messages?beta=true`, {
    method: "POST",
    headers: { "x-api-key": "key" },
    body: JSON.stringify({ model: "claude-x", stream, messages: [{ role: "user", content }, ...after] }),
    signal,
  });
}

interface Frame {
  type: string;
  index?: number;
  delta?: Record<string, unknown>;
  content_block?: Record<string, unknown>;
  message?: Record<string, unknown>;
  usage?: Record<string, unknown>;
  error?: Record<string, unknown>;
}

function framesOf(stream: string): Frame[] {
  return [...stream.matchAll(/^event: (\w+)\ndata: (.*)\n\n/gm)].map(([, event, data]) => {
    const frame = JSON.parse(data!);
    expect(frame.type).toBe(event);
    return frame;
  });
}

async function stream(content: unknown, after: Message[] = []): Promise<Frame[]> {
  const response = await ask(content, { after });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  return framesOf(await response.text());
}

async function whole(content: unknown): Promise<Record<string, unknown>> {
  return (await ask(content, { stream: false })).json() as Promise<Record<string, unknown>>;
}

function textOf(frames: Frame[]): string {
  return frames.map(({ delta }) => delta?.text ?? "").join("");
}

describe("a reply", () => {
  it("is streamed piece by piece", async () => {
    const frames = await stream("[[hello]]");
    expect(frames.map(({ type }) => type)).toEqual([
      "message_start",
      "content_block_start",
      "content_block_delta",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
    expect(frames[0]?.message).toMatchObject({ model: "claude-x", usage: { input_tokens: 11 } });
    expect(textOf(frames)).toBe("Hello");
    expect(frames[5]).toMatchObject({ delta: { stop_reason: "end_turn" }, usage: { output_tokens: 7 } });
  });

  it("has thinking with its signature, several calls and broken input", async () => {
    const frames = await stream("[[rich]]");
    expect(frames.flatMap(({ content_block }) => content_block ?? [])).toEqual([
      { type: "redacted_thinking", data: "b3BhcXVl" },
      { type: "thinking", thinking: "", signature: "" },
      { type: "text", text: "" },
      { type: "tool_use", id: "toolu_one", name: "Write", input: {} },
      { type: "tool_use", id: expect.stringMatching(/^toolu_\d+$/), name: "Bash", input: {} },
    ]);
    const inputs = [3, 4].map((block) =>
      frames
        .filter(({ index, delta }) => index === block && delta)
        .map(({ delta }) => delta?.partial_json)
        .join(""),
    );
    expect(inputs).toEqual([JSON.stringify({ file_path: "a.txt", content: POEM }), '{"command": "ls']);
    const signature = frames.filter(({ delta }) => delta?.type === "signature_delta");
    expect(signature).toMatchObject([{ index: 1, delta: { signature: "c2lnbmF0dXJl" } }]);
    expect(frames[0]?.message?.usage).toMatchObject({
      input_tokens: 10,
      cache_read_input_tokens: 60,
      cache_creation_input_tokens: 30,
    });
    expect(frames.at(-2)).toMatchObject({ delta: { stop_reason: "tool_use" }, usage: { output_tokens: 20 } });
  });

  it("comes in one body for who does not stream", async () => {
    expect(await whole("[[rich]]")).toMatchObject({
      role: "assistant",
      stop_reason: "tool_use",
      usage: { input_tokens: 10, output_tokens: 20 },
      content: [
        { type: "redacted_thinking" },
        { type: "thinking", thinking: "Let me see.", signature: "c2lnbmF0dXJl" },
        { type: "text", text: "Two calls:" },
        { type: "tool_use", id: "toolu_one", name: "Write", input: { content: POEM } },
        { type: "tool_use", name: "Bash", input: '{"command": "ls' },
      ],
    });
  });

  it.each([
    ["cut", "max_tokens"],
    ["refused", "refusal"],
  ])("%s stops with %s", async (tag, reason) => {
    expect((await stream(`[[${tag}]]`)).at(-2)?.delta?.stop_reason).toBe(reason);
  });

  it("can be slow and is complete all the same", async () => {
    expect(textOf(await stream("[[slow]]"))).toBe(POEM);
  });
});

describe("choosing", () => {
  const call = { role: "assistant", content: [{ type: "tool_use", id: "t", name: "Write", input: {} }] };
  const result = { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "[[hello]]" }] };

  it("counts the answers since the tag; the last reply stays", async () => {
    const types = async (after: Message[]) =>
      (await stream("[[edit]]", after)).flatMap(({ content_block }) => content_block?.type ?? []);
    expect(await types([])).toEqual(["tool_use"]);
    expect(await types([call, result])).toEqual(["text"]);
    expect(await types([call, result, call, result])).toEqual(["text"]);
    expect(model.requests.map(({ step }) => step)).toEqual([0, 1, 2]);
  });

  it("takes the newest tag, also in an array of content and with system messages behind it", async () => {
    const content = [
      { type: "text", text: "[[lost]] no, [[count:see]]" },
      { type: "text", text: "<reminder>" },
    ];
    const after = [{ role: "system", content: "Today is a day." }];
    expect(textOf(await stream(content, after))).toBe("see 1");
    expect(textOf(await stream(content, after))).toBe("see 2");
    expect(model.requests.map(({ script, attempt }) => [script, attempt])).toEqual([
      ["count", 1],
      ["count", 2],
    ]);
  });

  it("gives the fallback where there is no tag, and says which scripts there are when the tag is wrong", async () => {
    expect(textOf(await stream("A title, please."))).toBe("ok");
    const response = await ask("[[helo]]");
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('There is no script \\"helo\\"; there are hello, rich');
  });

  it("can be done by a function", async () => {
    const chosen = await startScriptedModel({
      scripts: { summary: [text("In short: rain.")] },
      choose: (request) =>
        request.headers["x-aside"] ? { script: "summary", step: 0 } : chooseByTag(request),
    });
    const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "?" }] });
    const response = await fetch(`${chosen.url}/v1/messages`, {
      method: "POST",
      headers: { "x-aside": "1" },
      body,
    });
    expect(await response.text()).toContain("In short: rain.");
    await chosen.close();
  });
});

describe("a fault", () => {
  it("is an HTTP error so many times, then all is well", async () => {
    for (const _ of [1, 2]) {
      const refused = await ask("[[busy]]");
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3"]);
      expect(await refused.json()).toMatchObject({ type: "error", error: { type: "rate_limit_error" } });
    }
    expect(textOf(await stream("[[busy]]"))).toBe("Third time lucky.");
    expect(model.requests.map(({ outcome }) => outcome)).toEqual(["failed", "failed", "answered"]);
  });

  it("is an error event in the middle of a block", async () => {
    const frames = await stream("[[overloaded]]");
    expect(frames.slice(1).map(({ type }) => type)).toEqual([
      "content_block_start",
      "content_block_delta",
      "error",
    ]);
    expect(frames.at(-1)?.error?.type).toBe("overloaded_error");
    expect(textOf(await stream("[[overloaded]]"))).toBe("Half and whole");
  });

  it("is an HTTP error in place of an error event for who does not stream", async () => {
    expect((await ask("[[overloaded]]", { stream: false })).status).toBe(529);
    expect(await whole("[[overloaded]]")).toMatchObject({
      content: [{ type: "text", text: "Half and whole" }],
    });
  });

  it("is a lost connection, after what was said has arrived", async () => {
    const { body } = await ask("[[lost]]");
    const seen: string[] = [];
    const reading = (async () => {
      for await (const chunk of body!.pipeThrough(new TextDecoderStream())) seen.push(chunk);
    })();
    await expect(reading).rejects.toThrow();
    expect(textOf(framesOf(seen.join("")))).toBe("Half");
    await expect(ask("[[unheard]]")).rejects.toThrow();
    await expect(ask("[[lost]]", { stream: false })).rejects.toThrow();
  });

  it("is a mistake in the script", async () => {
    await expect(ask("[[late]]").then((response) => response.text())).rejects.toThrow();
    expect(model.requests[0]?.outcome).toBe("failed");
  });
});

describe("a silence", () => {
  it("lasts until it is released, for good", async () => {
    const asked = ask("[[silent]]").then((response) => response.text());
    expect((await model.request(0)).outcome).toBe("open");
    model.release();
    expect(textOf(framesOf(await asked))).toBe("Hm!");
    expect(await whole("[[silent]]")).toMatchObject({ content: [{ text: "Hm!" }] });
  });

  it("ends when the client leaves, and the journal says so", async () => {
    const leaving = new AbortController();
    await ask("[[silent]]", { signal: leaving.signal });
    const entry = await model.request(0);
    leaving.abort();
    await until(() => entry.outcome === "aborted");
  });

  it("does not keep the server from closing", async () => {
    const asked = ask("[[silent]]").then((response) => response.text());
    asked.catch(() => {});
    const entry = await model.request(0);
    await model.close();
    await expect(asked).rejects.toThrow();
    await until(() => entry.outcome === "aborted");
    await model.close();
  });
});

it("answers what clients ask besides, and notes what it does not know", async () => {
  expect((await fetch(model.url, { method: "HEAD" })).status).toBe(200);
  const counted = await fetch(`${model.url}/v1/messages/count_tokens`, { method: "POST", body: "{}" });
  expect(await counted.json()).toEqual({ input_tokens: 1 });
  expect((await fetch(`${model.url}/v1/models`)).status).toBe(200);
  expect((await fetch(`${model.url}/v1/nothing`)).status).toBe(404);
  expect(model.strays).toEqual(["GET /v1/nothing"]);
  expect(model.requests).toEqual([]);
});

it("keeps the headers and the body of each request", async () => {
  await (await ask("[[hello]]")).text();
  expect(model.requests[0]).toMatchObject({
    api: "anthropic-messages",
    headers: { "x-api-key": "key" },
    body: { stream: true, messages: [{ content: "[[hello]]" }] },
    script: "hello",
    outcome: "answered",
  });
});
